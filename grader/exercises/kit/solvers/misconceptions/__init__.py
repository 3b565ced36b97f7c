"""Wrong models of solvers."""

from grader.exercises.kit.solvers.misconceptions import answers, kinds, moves, visits

MASKS = answers.MASKS
MODELS = (*moves.MODELS, *visits.MODELS, *answers.MODELS, *kinds.MODELS)
