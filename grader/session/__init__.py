"""The way to a box and back: calls go in, claims come out."""
