"""What staff change in results that are there: one module for each such command."""
