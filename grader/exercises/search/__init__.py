"""The exercise in which a search keeps its pending cells, and the way to each cell that it knows."""
