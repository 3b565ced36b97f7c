"""The answer to the generator exercise: recursive division."""

from __future__ import annotations

from typing import NamedTuple

from lab import EAST, SOUTH, Dimension, Factory, Generator, Maze, Vector


class Room(NamedTuple):
    """A rectangle of cells without inner walls."""

    top: int
    left: int
    height: int
    width: int


class MyGenerator(Generator):
    """Divides an empty room by a straight wall with one door, then both halves in the same way."""

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        """Return a perfect maze of that dimension (ValueError for fewer than two cells).

        The rooms wait on a list instead of in calls of calls, so a maze of any size can be made.
        A room one cell wide is left as it is: a wall would cut it into two cells with a door
        between them, which is no wall.
        """
        maze = factory.fully_connected(dimension)
        rooms = [Room(1, 1, dimension.row_count, dimension.column_count)]
        while rooms:
            room = rooms.pop()
            if room.height > 1 and room.width > 1:
                rooms.extend(self._divide(maze, room))
        return maze

    def _divide(self, maze: Maze, room: Room) -> tuple[Room, Room]:
        """Build one of the walls that fit into the room, each as likely as the others.

        A long room has more walls across than along it, so it is mostly cut into compact halves.
        """
        place = self._draw(room.height - 1 + room.width - 1)
        if place < room.height - 1:
            return self._divide_by_row(maze, room, place + 1)
        return self._divide_by_column(maze, room, place - (room.height - 1) + 1)

    def _divide_by_row(self, maze: Maze, room: Room, height: int) -> tuple[Room, Room]:
        """Build a wall from west to east, with ``height`` rows north of it."""
        door = self._draw(room.width)
        for offset in range(room.width):
            if offset != door:
                maze.build_wall(Vector(room.top + height - 1, room.left + offset), SOUTH)
        return room._replace(height=height), room._replace(top=room.top + height, height=room.height - height)

    def _divide_by_column(self, maze: Maze, room: Room, width: int) -> tuple[Room, Room]:
        """Build a wall from north to south, with ``width`` columns west of it."""
        door = self._draw(room.height)
        for offset in range(room.height):
            if offset != door:
                maze.build_wall(Vector(room.top + offset, room.left + width - 1), EAST)
        return room._replace(width=width), room._replace(left=room.left + width, width=room.width - width)

    def _draw(self, count: int) -> int:
        """Return a number from 0 to ``count - 1``, each as likely as the others, the last included.

        Left out, the last one would be a place that no door is ever in, and with it many mazes
        that are never made. random() is the one draw that is the same in every version of Python.
        """
        return int(self.rng.random() * count)
