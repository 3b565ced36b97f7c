"""The bubblewrap back end."""
