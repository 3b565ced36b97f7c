from .walker import AldousBroder


class MyGenerator(AldousBroder):
    pass
