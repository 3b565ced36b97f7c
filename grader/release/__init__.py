"""What students get: the kit for a rubric, and the proof that nothing secret is in it."""
