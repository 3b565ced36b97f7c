"""Recursive division, under the name that the field gives it."""

from __future__ import annotations

from reference.generators.my_generator import MyGenerator


class RecursiveDivision(MyGenerator):
    """Divides a room by a wall with one door in it, then both halves, until no wall fits.

    It is the answer to the generator exercise. A wall may stand anywhere and its door may be in any
    place of it, the last row or column included: every perfect maze that straight walls across a room
    can make is made. Source: J. Buck, "Maze Generation: Recursive Division" (The Buckblog, 2011);
    A. Reynolds, "Maze generation by recursive division" (2010).
    """
