"""The subcommands of ``maze``, one file each."""
