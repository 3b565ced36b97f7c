"""A small service to which students hand in, and see why, in a minute: ``grader serve``."""
