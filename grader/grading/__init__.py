"""Grading one submission: calls are planned, made, judged, and written down."""
