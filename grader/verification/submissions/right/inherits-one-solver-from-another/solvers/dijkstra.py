from . import general


class Dijkstra(general.General):
    def next_from(self, search):
        return search.closest_pending()
