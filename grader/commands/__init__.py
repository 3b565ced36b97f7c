"""The commands of ``grader``, one module each: its options, and what it does."""
