"""The exercise in which a maze is checked: can each cell be reached, in exactly one way?"""
