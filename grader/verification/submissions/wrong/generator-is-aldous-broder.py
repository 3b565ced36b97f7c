from lab.generators import AldousBroder as MyGenerator
