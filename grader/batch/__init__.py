"""Grading a class of submissions: jobs, workers, journal, marks and reports."""
