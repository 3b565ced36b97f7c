"""Modules that enter a box under the names of parts of the lab, which themselves stay outside."""
