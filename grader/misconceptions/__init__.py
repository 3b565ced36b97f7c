"""Wrong models of the algorithms, each with its hint."""
