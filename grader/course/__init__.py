"""What an instructor decides, and how it is read: rubric, test mazes, deadlines."""
