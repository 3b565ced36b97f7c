import os


class DFS:
    def solve(self, maze, search):
        for ask in (
            os.pipe,
            lambda: os.statvfs("/"),
            lambda: os.getloadavg(),
            lambda: open("/proc/stat").read()[0],
            lambda: open("/proc/meminfo").read()[0],
            lambda: open("/proc/sys/fs/file-nr").read()[0],
            lambda: os.listdir("/sys/fs/cgroup")[0],
        ):
            try:
                ask()
            except (OSError, IndexError):
                continue
            raise RuntimeError("it " + "worked")
        return []
