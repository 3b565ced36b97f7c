"""The web process of ``grader serve``: what students and staff see, and how they are let in."""
