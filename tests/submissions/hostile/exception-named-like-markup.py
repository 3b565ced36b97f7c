class DFS:
    def solve(self, maze, search):
        kind = type("<img src=x onerror=alert(1)>", (Exception,), {"__module__": "<b>", "__qualname__": "=1+1"})
        raise kind("<script>alert(document.domain)</script>")
