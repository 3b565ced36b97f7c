class Search
    pass
