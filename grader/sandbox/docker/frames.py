"""Parse the frames of a container's attach socket, which carries several streams."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Frames:
    """Parse the engine's frames: a stream's number, three zeros, a length, and that many bytes."""

    left: int = 0
    wanted: bool = False
    header: bytes = b""
    complaint: bytes = b""

    def output(self, data: bytes) -> bytes:
        """Return the part of the data that is standard output."""
        found = []
        rest = memoryview(data)
        while rest:
            if self.left:
                piece, rest = bytes(rest[: self.left]), rest[self.left :]
                self.left -= len(piece)
                if self.wanted:
                    found.append(piece)
                else:
                    self.complaint = (self.complaint + piece)[-4096:]
            else:
                missing = 8 - len(self.header)
                self.header, rest = self.header + bytes(rest[:missing]), rest[missing:]
                if len(self.header) == 8:
                    self.wanted = self.header[0] == 1
                    self.left = int.from_bytes(self.header[4:], "big")
                    self.header = b""
        return b"".join(found)
