"""Submissions are graded, never collected: their files may look like tests, or do harm."""

collect_ignore_glob = ["bad/*", "hostile/*", "wall_follower/*"]
