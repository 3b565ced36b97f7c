"""How much of a submission is read."""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that intake takes in; sizes in bytes."""

    file_bytes: int = 256 * KIB
    total_bytes: int = 2 * MIB
    files: int = 500
    """Files that are kept."""
    members: int = 50_000
    """Entries of an archive or a folder that are looked at, rubbish among them."""
    archive_bytes: int = 64 * MIB
    unpacked_bytes: int = 64 * MIB
    """What a compressed tar may unpack to; of a zip nothing is unpacked beyond ``file_bytes``."""
    read_bytes: int = 256 * MIB
    """What is read while a submission is looked through: some of it more than once, some for nothing."""
    ratio: int = 200
    """By how much a compressed tar may grow, once it has grown beyond ``total_bytes``."""
    depth: int = 12
    name_characters: int = 200
