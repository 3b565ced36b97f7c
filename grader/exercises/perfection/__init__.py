"""The exercise of checking a maze: can each cell be reached, in exactly one way?"""
