"""All state of the service, in one SQLite file: small modules of functions on it."""
