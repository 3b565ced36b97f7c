"""Exercises whose answers are judged one by one, by the code in their folders."""
