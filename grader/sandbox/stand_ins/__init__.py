"""Modules that replace parts of the lab in a box; the originals stay outside."""
