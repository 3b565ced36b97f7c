"""The autograder: what it must never do is believe the accused, convict the innocent, or forget a case."""
