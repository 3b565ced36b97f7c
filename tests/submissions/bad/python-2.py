class PerfectionChecker:
    def is_perfect(self, maze):
        print 'checking'
        return True
