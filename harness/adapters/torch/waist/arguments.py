"""The arguments of a command."""

from waist.wire import UNDEFINED, Invalid, Unsupported


class Arguments:
    """Decodes arguments on access; arguments that are never accessed are reported as unsupported."""

    def __init__(self, given, decode_one, named_as=None):
        self.given, self.decode, self.left, self.named_as = given, decode_one, set(given), named_as
        self.takes_undefined = self.needs_tensor = False

    def __contains__(self, name):
        return name in self.given

    def raw(self, name):
        if name not in self.given:
            raise Invalid(f"lacks the argument '{name}'")
        self.left.discard(name)
        return self.given[name]

    def __getitem__(self, name):
        value = self.decode(self.raw(name))
        if value is None and name == "tensor" and self.needs_tensor:
            raise Invalid("'tensor' must be a tensor")
        if value is UNDEFINED and not self.takes_undefined:
            raise Unsupported("Python has no undefined tensor, only None where an operator takes one")
        return value

    def get(self, name, default=None):
        return self[name] if name in self.given else default

    def some(self, *names):
        """The given arguments with these names, as keyword arguments."""
        return {name: self[name] for name in names if name in self.given}

    def done(self):
        if self.left:
            raise Unsupported(f"has no argument '{sorted(self.left)[0]}' here")
