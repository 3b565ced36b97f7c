"""What a student's solver does, line by line: the cells that it keeps, its calls, and who led to whom."""
