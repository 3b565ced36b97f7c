"""What the student's code is called with: properties and fixed mazes."""
