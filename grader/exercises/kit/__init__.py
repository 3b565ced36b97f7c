"""What exercises share: it knows none of them by name."""
