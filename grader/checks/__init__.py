"""The checks of each exercise, declared in one place each."""
