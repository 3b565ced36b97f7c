"""Why an exercise went wrong, as far as the grader can tell."""
