"""The same tests of one function for pytest, gradescope-utils and check50, which run them on their own."""
