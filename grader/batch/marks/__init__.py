"""Layers over what the grader found, and the ledger of what people decided."""
