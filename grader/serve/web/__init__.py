"""The web process of ``grader serve``: the pages for students and staff, and access to them."""
