"""Records what a student's solver does, line by line: the cells that it stores, its calls, and its parents
tree."""
