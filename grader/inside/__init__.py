"""UNTRUSTED: all that enters the box, with lab; nothing on the trusted side imports it."""
