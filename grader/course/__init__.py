"""What an instructor decides: the rubric, test mazes and deadlines, and how their files are read."""
