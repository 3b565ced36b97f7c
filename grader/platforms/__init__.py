"""The learning platforms: how they name the work that they hand out, and how they import scores."""
