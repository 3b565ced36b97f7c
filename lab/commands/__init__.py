"""What the ``maze`` command can do: a file for each part of it."""
