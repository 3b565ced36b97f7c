from solvers.general import General


class BFS(General):
    def next_from(self, search):
        return search.first_pending()
