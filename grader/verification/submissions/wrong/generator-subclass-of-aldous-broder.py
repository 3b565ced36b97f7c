from lab.generators import AldousBroder


class MyGenerator(AldousBroder):
    pass
