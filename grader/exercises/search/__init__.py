"""The exercise of keeping pending cells, and the way to each known cell."""
