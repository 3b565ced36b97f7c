"""Orders of visits and who comes first, by hand, on mazes of one's own; the file is read, never run."""
