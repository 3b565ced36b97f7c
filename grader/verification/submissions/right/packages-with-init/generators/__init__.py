from generators.my_generator import MyGenerator
