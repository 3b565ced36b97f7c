"""The learning platforms: what they call the work that they hand out, and how they take scores back."""
