"""Marks: the ledger of what people decided, and the layers by which lateness and decisions change results."""
