"""The kind of exercise that finds a way through a maze: its cases, its judges, its space."""
