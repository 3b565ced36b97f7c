"""The subcommands of ``maze``, a file for each."""
