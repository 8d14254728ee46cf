LEAD = "x"
PARAMS = ()


def render():
    return None
