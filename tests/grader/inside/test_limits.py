"""What a child may use: large stacks are given to those that ask, and are no way to more memory."""

from __future__ import annotations

import pytest

from grader.model.claims import truth_value
from tests.grader.session.popen_box import answered, check

IN_THREADS = """
import sys
import threading

def deep(levels):
    return levels == 0 or list(map(deep, [levels - 1]))[0]

def run(count, levels):
    found = []
    threads = [threading.Thread(target=lambda: found.append(deep(levels))) for _ in range(count)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return found == [True] * count
"""
MIB = 2**20


@pytest.mark.parametrize("mib", [64, 256, 512, 1024, 16_384])
def test_a_thread_may_have_a_large_stack(mib: int) -> None:
    body = f"sys.setrecursionlimit(10**6)\nthreading.stack_size({mib * MIB})\nreturn run(1, 4000)"
    for claim in check(body, count=3, before=IN_THREADS):
        assert answered(claim) == truth_value(True)


def test_several_threads_may_have_a_large_stack() -> None:
    body = f"threading.stack_size({512 * MIB})\nreturn all(run(2, 500) for _ in range(20))"
    (claim,) = check(body, before=IN_THREADS)
    assert answered(claim) == truth_value(True)


def test_the_size_of_stacks_is_told_as_python_does() -> None:
    told = f"[threading.stack_size(size) for size in ({512 * MIB}, 0, {MIB}, 0)]"
    (claim,) = check(f"return {told} == [0, {512 * MIB}, 0, {MIB}]", before=IN_THREADS)
    assert answered(claim) == truth_value(True)


@pytest.mark.parametrize("size", [-1, 100, 2**15 - 1])
def test_a_size_that_python_refuses_is_refused(size: int) -> None:
    (claim,) = check(f"threading.stack_size({size})", before=IN_THREADS)
    assert claim.fault is not None
    assert claim.fault.kind == "ValueError"


@pytest.mark.parametrize("size", [0, 512 * MIB])
def test_memory_is_held_with_a_large_stack_too(size: int) -> None:
    body = f"threading.stack_size({size})\nfound = bytearray(2**30)"
    (claim,) = check(body, before=IN_THREADS)
    assert claim.outcome == "out-of-memory"
