"""Exercises whose answers are judged one by one, by code in their folders."""
