class DFS:
    def solve(self, maze, search):
        print("\x1b[2J\x1b[31mPASSED\x1b[0m\x07 \x1b]0;title\x07 \x9b31m")
        print("\u202egnp.exe \u2066 \u200f \u200b\ufeff\u2028\u2029")
        print("=HYPERLINK(\"http://example.invalid\",\"click\")\n+1+1\n-1\n@SUM(1)\n\t=1\n\r=1")
        print("</pre><script>alert(1)</script><img src=x onerror=alert(1)>&lt;{{7*7}}{% raw %}")
        print("\0null\0 \N{HANGUL FILLER} Z" + "\u0300" * 500)
        return []
