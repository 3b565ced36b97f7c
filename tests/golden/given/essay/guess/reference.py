number = 7
