class MyGenerator:
    name = "mine
