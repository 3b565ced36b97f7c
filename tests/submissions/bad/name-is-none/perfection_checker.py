PerfectionChecker = None
