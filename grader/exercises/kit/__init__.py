"""What exercises share; it knows no exercise by name."""
