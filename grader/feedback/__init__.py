"""The page that a student opens."""
