"""Grading many submissions."""
