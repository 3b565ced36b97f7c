from .general import General


class DFS(General):
    reverse = True

    def next_from(self, search):
        return search.last_pending()
