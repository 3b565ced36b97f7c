raise RuntimeError('not finished')
