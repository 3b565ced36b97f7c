"""What a submission may use, of a box and of the reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

Leftovers = Literal["told", "charged"]
"""Whether what was left lying around in right work is passed over and told, or fails as in any program."""
KIB, MIB, GIB = 1024, 1024**2, 1024**3


@dataclass(frozen=True, slots=True)
class Limits:
    """What a submission may use; the unit stands in the name. A rubric may choose within the bounds."""

    call_cpu_seconds: Annotated[
        float, Meta(ge=0.1, le=600.0, description="one call of a student's method")
    ] = 5.0
    call_wall_seconds: Annotated[float, Meta(ge=0.1, le=3600.0)] = 60.0
    submission_cpu_seconds: Annotated[
        float,
        Meta(ge=1.0, le=86400.0, description="all of its calls; a fifth at most for what explains"),
    ] = 120.0
    submission_wall_seconds: Annotated[float, Meta(ge=1.0, le=86400.0)] = 300.0
    memory_bytes: Annotated[int, Meta(ge=64 * MIB, le=64 * GIB)] = 512 * MIB
    # The runner, its child and a thread or two have to fit in.
    processes: Annotated[int, Meta(ge=4, le=4096)] = (
        32  # the runner, its child and a thread or two have to fit in
    )
    output_bytes: Annotated[int, Meta(ge=KIB, le=16 * MIB, description="printed by one call")] = 64 * KIB
    reply_bytes: Annotated[int, Meta(ge=64 * KIB, le=64 * MIB, description="returned by one call")] = 4 * MIB
    disk_bytes: Annotated[int, Meta(ge=64 * KIB, le=GIB)] = 4 * MIB
    reader_cpu_seconds: Annotated[
        float,
        Meta(ge=0.5, le=600.0, description="to read its files and look for reasons, outside of the box"),
    ] = 10.0
    reader_memory_bytes: Annotated[int, Meta(ge=64 * MIB, le=64 * GIB)] = 512 * MIB
