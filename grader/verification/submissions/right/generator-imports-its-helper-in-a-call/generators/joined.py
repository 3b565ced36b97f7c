class Groups:
    def __init__(self, members):
        self.above = {member: member for member in members}

    def top(self, member):
        while self.above[member] != member:
            member = self.above[member]
        return member

    def join(self, one, other):
        one, other = self.top(one), self.top(other)
        self.above[one] = other
        return one != other
