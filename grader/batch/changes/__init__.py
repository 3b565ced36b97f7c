"""Changes that staff make to existing results, one module for each command."""
