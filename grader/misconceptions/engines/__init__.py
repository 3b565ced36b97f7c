"""What a submission was seen to do, and whether a wrong model would have done just that."""
