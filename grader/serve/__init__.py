"""The service of ``grader serve``: students hand in, and read their feedback a minute later."""
