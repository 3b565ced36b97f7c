"""The commands of ``grader``, one file each."""
