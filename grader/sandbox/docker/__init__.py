"""The Docker back end."""
