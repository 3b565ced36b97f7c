"""The exercises, a folder each, and the kit that they share."""
