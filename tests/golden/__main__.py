"""Write the golden files anew: all of them, or those of the inputs that are named, as ``kit/west-first``."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor

from tests.golden.harness import INPUTS, write

if __name__ == "__main__":
    chosen = sys.argv[1:] or INPUTS
    with ProcessPoolExecutor(2) as pool:
        for changed in pool.map(write, chosen):
            for path in changed:
                print(path)
