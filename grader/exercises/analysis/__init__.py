"""Visit orders, and who comes first, worked out by hand on mazes of one's own; the file is only read."""
