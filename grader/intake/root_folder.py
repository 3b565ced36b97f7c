"""Where a submission starts: students wrap their files in a folder, or in several."""

from __future__ import annotations

from collections.abc import Collection

from lab.exercises import FILES


def find_roots(paths: Collection[str]) -> list[str]:
    """The folders that hold any of the six files, the shallowest first and of those the fullest.

    A root is "" or ends with "/". Where no folder holds one: the folder around a folder of the
    lab's, and else the innermost folder that all the files lie in.
    """
    counts: dict[str, int] = {}
    for path in paths:
        for root in roots_of(path):
            counts[root] = counts.get(root, 0) + 1
    if counts:
        return sorted(counts, key=lambda root: (root.count("/"), -counts[root], root))
    return sorted(_guesses(paths), key=lambda root: (root.count("/"), root))[:1] or [_common(paths)]


def importance(path: str) -> tuple[int, str]:
    """What to read first where not all can be: the six files, then other code, then the rest."""
    return (0 if path in FILES else 1 if path.endswith(".py") else 2, path)


def roots_of(path: str) -> list[str]:
    """The roots from which a path is one of the six files."""
    return [path.removesuffix(file) for file in FILES if path.endswith(f"/{file}") or path == file]


def _guesses(paths: Collection[str]) -> set[str]:
    known = {file.split("/")[0] for file in FILES if "/" in file}
    guesses = set()
    for path in paths:
        *folders, _ = path.split("/")
        for depth, folder in enumerate(folders):
            if folder.casefold() in known:
                guesses.add("".join(f"{part}/" for part in folders[:depth]))
                break
    return guesses


def _common(paths: Collection[str]) -> str:
    folders = [path.split("/")[:-1] for path in paths]
    common: list[str] = []
    for parts in zip(*folders, strict=False):
        if len(set(parts)) > 1:
            break
        common.append(parts[0])
    return "".join(f"{part}/" for part in common)
