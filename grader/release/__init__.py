"""The kit that students get for a rubric, and the check that it contains no secret."""
