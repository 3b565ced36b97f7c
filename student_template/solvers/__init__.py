"""The search, and the three solvers that use it."""
