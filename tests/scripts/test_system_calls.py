"""What is told of the calls of a newer kernel, from its headers."""

from __future__ import annotations

import pytest

from scripts.system_calls import to_look_at

X86_64 = """
#define __NR_read 0
#define __NR_socket 41
#define __NR_mount_everything 300
#define __NR_mseal 462
#define __NR_file_getattr 468
"""
AARCH64 = """
#define __NR3264_fcntl 25
#define __NR_read 63
__SYSCALL(__NR_read, sys_read)
#define __NR_futex_time64 422
#define __NR_mount 41
"""


@pytest.mark.parametrize(
    ("header", "told"),
    [
        (
            X86_64,
            [
                "mount_everything (300) is neither refused nor allowed",
                "file_getattr (468) is neither refused nor allowed; refused unseen, above 467",
            ],
        ),
        (AARCH64, ["mount is 41 here, and 40 in the table"]),
    ],
)
def test_what_was_not_looked_at_is_told(header: str, told: list[str]) -> None:
    assert list(to_look_at(header)) == told
