"""The state of the service in one SQLite file, with a module of functions for each table or topic."""
