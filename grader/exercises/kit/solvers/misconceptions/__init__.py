"""Wrong models of solvers."""

from grader.exercises.kit.solvers.misconceptions import answers, kinds, moves, visits

MODELS = (*moves.MODELS, *visits.MODELS, *answers.MODELS, *kinds.MODELS)
