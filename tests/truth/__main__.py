"""Hold what is said of wrong work against second records, and tell what is not so.

    python -m tests.truth [NAME ...] [--share 0.1] [--no-places]

Without names, all: the corpus or a share of it, and what the golden files are about.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from fnmatch import fnmatch

from tests.truth import bank


def main() -> int:
    """Print what is not so, and how many sentences of each key were held against a record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--no-places", dest="places", action="store_false")
    options = parser.parse_args()
    works = [*bank.words(), *bank.stories(), *bank.share(options.share)]
    held, untrue = Counter[str](), 0
    for work in works:
        if not options.names or any(fnmatch(work.name, name) for name in options.names):
            sums = bank.held_against_records([work], with_places=options.places)
            held = sums.held + held
            untrue += len(sums.untrue)
            print(*sums.untrue, sep="\n", end="\n" if sums.untrue else "", flush=True)
    print(f"{held.total()} sentences, {untrue} untrue")
    print(*(f"{count:6} {key}" for key, count in held.most_common()), sep="\n")
    return bool(untrue)


if __name__ == "__main__":
    sys.exit(main())
