"""Run every benchmark of this folder, or those that are named, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

NO_BENCHMARKS = {"__init__", "__main__", "clock", "faults", "kit", "places", "wrong"}


def main(names: list[str]) -> int:
    """Run them one by one; return 2 for an unknown name, 1 if one fails."""
    known = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in NO_BENCHMARKS)
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"benchmarks: expected {', '.join(known)}, got {unknown[0]}", file=sys.stderr)
        return 2
    failed = 0
    for name in names or known:
        print(f"\n== python -m benchmarks.{name}\n", flush=True)
        failed |= subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
