"""Area dispatch: libraries and registrations, each a separate PyTorch object, so that dropping it deregisters."""

import torch

from dispatcher import kernels, keys, operators
from waist import printed
from waist.wire import Unsupported

C = torch._C
ALIAS_KINDS = {"FROM_SCHEMA": "FROM_SCHEMA", "CONSERVATIVE": "CONSERVATIVE", "PURE_FUNCTION": "PURE_FUNCTION"}


def place(given):
    """`file:line` in the two parts that PyTorch takes."""
    if "at" in given and not hasattr(C, "_dispatch_clear_leaked_python_filenames"):
        raise Unsupported("Python cannot tell this PyTorch where a registration was made")
    file, _, line = given.get("at", "a client").rpartition(":")
    return (file, int(line)) if file and line.isdigit() else (file + line, 0)


def key_text(name):
    """A key for a registration: its name, or nothing for the catch-all."""
    name = keys.known(name) if name is not None else "Undefined"
    return "" if name == "Undefined" else keys.readable(name)


class Library:
    def __init__(self, kind, namespace, key, where):
        self.namespace, self.key, self.kind = namespace, key, kind
        self.module = C._dispatch_library(kind, namespace, key_text(key), *where)
        self.kernels = []

    def reset(self):
        self.module = None
        self.kernels.clear()


class InLibrary:
    """A registration in a library, which ends with it."""

    undroppable = "PyTorch drops the registrations of a library only with the library"


class Registration:
    """A PyTorch library for a single registration."""

    def __init__(self, library):
        self.library = library


def library(subject, given):
    return {"result": Library(given["kind"], given["namespace"], given.get("key"), place(given))}


def reset_library(subject, given):
    given["library"].reset()
    return {}


def module_of(given, make):
    """The given library, or a new one, with the object that represents the registration."""
    if "library" not in given:
        made = make()
        return made, Registration(made)
    found = given["library"]
    if found.module is None:
        raise Unsupported("a Python library cannot be used after a reset")
    return found, InLibrary()


def namespace_of(name):
    namespace, colons, _ = name.partition("::")
    if not colons:
        raise Unsupported("a name without a namespace, outside a library")
    return namespace


def set_kernel(into, name, key, kernel):
    """`key` is None for the key of the library."""
    target = key if key is not None else into.key
    if kernel.typed:
        with printed.as_warnings():
            into.module.impl_t_t(name, key_text(key), "")  # a text here would replace the place of registration in messages
        return
    full = name if "::" in name else f"{into.namespace}::{name}"
    function = kernel.function(full, None if target is None else keys.known(target))
    if kernel.fallthrough:
        function = getattr(torch.library, "fallthrough_kernel", None)
        if function is None:
            raise Unsupported("this PyTorch lets Python register no fallthrough for one operator")
    arguments = (name, dispatch_of(key), function)
    if kernels.Kernel.takes_key_set and not kernel.fallthrough:
        into.module.impl(*arguments, True)
    else:
        into.module.impl(*arguments)
    into.kernels.append(kernel)


def dispatch_of(key):
    if not kernels.Kernel.takes_key_set:
        return key_text(key)
    if key is None or keys.known(key) == "Undefined":
        return keys.key_of("CompositeImplicitAutograd")  # PyTorch stores the catch-all under this key
    return keys.key_of(key)


class Overloads:
    """PyTorch's JIT identifies operators without their overload names. Of two with the same arguments it keeps one
    forever, and accesses freed memory when one of them is queried later: the process is then not clean."""

    def __init__(self):
        self.seen, self.clash = {}, False

    def add(self, namespace, schema):
        name, _, rest = schema.partition("(")
        base, _, overload = name.strip().rpartition("::")[2].partition(".")
        self.clash |= self.seen.setdefault((namespace, base, rest), overload) != overload

    def forget(self):
        """True if any clashed."""
        clash = self.clash
        self.__init__()
        return clash


OVERLOADS = Overloads()
FIRST_NAMESPACES = set(vars(torch.ops))


def forget_found():
    """`torch.ops` caches operators by name, even if an operator was replaced by another: it would call the
    one that is gone."""
    for name in set(vars(torch.ops)) - FIRST_NAMESPACES:
        if isinstance(getattr(torch.ops, name), torch._ops._OpNamespace):
            delattr(torch.ops, name)


def define(subject, given):
    forget_found()
    schema, kernel = given["schema"], given.get("kernel")
    into, held = module_of(given, lambda: Library("FRAGMENT", namespace_of(schema), None, place(given)))
    given.get("at")
    alias_kind, key = given.get("alias_kind", ""), given.get("key")
    tags = [getattr(torch.Tag, tag) for tag in given.get("tags", [])]
    if "(" not in schema:
        by_name_alone(into, schema, key, kernel)
    else:
        more = ([tags] if tags else [])
        into.module.define(schema, alias_kind, *more)
        OVERLOADS.add(into.namespace, schema)
        if kernel is not None:
            set_kernel(into, schema.partition("(")[0].strip(), key, kernel)
    return {"result": held}


def by_name_alone(into, name, key, kernel):
    if kernel is None:
        into.module.define(name, "")  # which PyTorch refuses, in its words
    elif not kernel.typed:
        raise Unsupported("Python infers no schema from a kernel")
    else:
        into.module.def_name_t_t(name, key_text(key), kernel.label)


def key_given(given):
    if "device" in given:
        raise Unsupported("Python registers kernels by key, and not by device")
    return given.get("key")


def implement(subject, given):
    name, kernel, key = operators.name_of(given["op"]), given["kernel"], key_given(given)
    into, held = module_of(given, lambda: Library("IMPL", namespace_of(name), None, place(given)))
    given.get("at")
    if isinstance(held, Registration) or key is not None:
        set_kernel(into, name, key, kernel)
    else:
        set_kernel(into, name, into.key if not kernel.typed else None, kernel)
    return {"result": held}


def fall_back(subject, given):
    kernel, key = given["kernel"], given.get("key")
    into, held = module_of(given, lambda: Library("IMPL", "_", None, place(given)))
    given.get("at")
    target = key if key is not None else into.key
    if kernel.fallthrough:
        into.module.fallback_fallthrough(key_text(target))
    elif not hasattr(into.module, "fallback") or kernel.typed:
        raise Unsupported("this PyTorch lets Python register no fallback but a fallthrough")
    else:
        is_nowhere = target is None or keys.known(target) == "Undefined"
        function = kernel.function(None, None if is_nowhere else keys.known(target))
        into.module.fallback(keys.key_of("Undefined") if is_nowhere else dispatch_of(target), function, True)
    return {"result": held}


def autograd_fallback(subject, given):
    if not hasattr(C, "_set_autograd_fallback_mode"):
        raise Unsupported("this PyTorch has no modes of the autograd fallback")
    C._set_autograd_fallback_mode(given["mode"])
    return {}


FIRST_MODE = C._get_autograd_fallback_mode() if hasattr(C, "_get_autograd_fallback_mode") else None


def restore():
    forget_found()
    if FIRST_MODE is not None:
        C._set_autograd_fallback_mode(FIRST_MODE)


COMMANDS = {
    "dispatch.autograd_fallback": autograd_fallback,
    "dispatch.kernel": kernels.make,
    "dispatch.library": library,
    "dispatch.reset_library": reset_library,
    "dispatch.def": define,
    "dispatch.impl": implement,
    "dispatch.fallback": fall_back,
}
