"""Reading what was handed in, without trusting it."""
