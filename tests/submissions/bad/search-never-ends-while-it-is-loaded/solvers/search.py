from lab import Vector


class Search:
    def __init__(self) -> None:
        self.known_cells: dict[Vector, Vector | None] = {}

    def mark_as_pending(self, position: Vector) -> None:
        self.known_cells[position] = None


# try it out
search = Search()
search.mark_as_pending(Vector(1, 1))
while search.known_cells:
    pass
