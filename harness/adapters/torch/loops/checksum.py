"""The checksum of the running loop."""

MASK = (1 << 64) - 1


class Sum:
    def __init__(self):
        self.seed = 0
        self.value = 0

    def begin(self):
        self.value = self.seed

    def step(self, token):
        self.value = self.value * 6364136223846793005 + token & MASK


SUM = Sum()
