import inspect

import lab.generators.aldous_broder as given

names = {}
exec(compile(inspect.getsource(given), 'mine', 'exec'), names)


class MyGenerator(names['Aldous' + 'Broder']):
    pass
