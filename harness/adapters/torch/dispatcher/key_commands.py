"""Area dispatch: keys, key sets, and the calling thread's sets."""

import warnings

import torch

from dispatcher import keys, probes, twins
from waist.wire import Unsupported

C = torch._C


# -- keys ----------------------------------------------------------------------------------------------------------

def all_keys(subject, given):
    results = {"backends": keys.BACKENDS, "functionalities": keys.FUNCTIONALITIES, "per_backend": keys.BLOCKS,
               "aliases": keys.ALIASES}
    if hasattr(C, "_dispatch_keyset_full"):
        full = C._dispatch_keyset_full()
        return {**results, "full": keys.bits_reply(full), "slots": len(keys.names_in(full)) + 1}
    return {**results, "blind": ["slots", "full"]}


def kind_of(name):
    if name == "Undefined":
        return "undefined"
    if name in keys.ALIASES:
        return "alias"
    if name in keys.BLOCKS:
        return "block"
    return "runtime" if name in keys.BLOCK_OF else "plain"


def autograd_key(name):
    """The keys of a tensor with that key, if such a tensor can be created."""
    device, dtype, layout = probes.maker_of(name)
    found = keys.names_in(C._dispatch_keys(probes.make(device, dtype, layout)))
    return next((key for key in found if key.startswith("Autograd")), None)


def one_key(subject, given):
    name = keys.known(given["key"])
    results = {"kind": kind_of(name), "set": keys.bits_reply(keys.KeySet(keys.key_of(name)))}
    if name in keys.ALIASES or name in keys.BLOCKS:
        return {**results, "autograd": None, "blind": ["slot"]}
    try:
        return {**results, "autograd": autograd_key(name), "blind": ["slot"]}
    except (Unsupported, RuntimeError):
        return {**results, "blind": ["slot", "autograd"]}


def members(subject, given):
    alias = keys.key_of(given["key"])
    return {"result": [name for name in keys.SLOTS[1:] if C._dispatch_is_included_in_alias(keys.key_of(name), alias)]}


def parse_key(subject, given):
    text = given["text"]
    if hasattr(C, "_parse_dispatch_key"):
        found = C._parse_dispatch_key(text)
        if found is None:
            raise RuntimeError(f"could not parse dispatch key: {text}")
        return {"result": keys.name_of(found)}
    return {"result": keys.name_of(C._dispatch_key_parse(text))}


def facts(made):
    highest = made.highestPriorityTypeId()
    return {"set": keys.bits_reply(made), "empty": keys.bits_of(made) == 0, "highest": keys.name_of(highest),
            "keys": keys.names_in(made), "text": str(made), "blind": ["slot", "backend_key"]}


def operate(subject, given):
    a = keys.set_from(given["a"])
    operation = given.get("operation")
    if operation is None:
        return facts(a)
    b = given["b"]
    if operation in ("add", "remove"):
        one = keys.key_of(b)
        if hasattr(a, operation):
            return facts(getattr(a, operation)(one))
        return facts(a | keys.KeySet(one) if operation == "add" else a - keys.KeySet(one))
    if operation not in ("or", "and", "minus"):
        raise Unsupported(f"Python has no '{operation}' of sets")
    b = keys.set_from(b)
    return facts({"or": lambda: a | b, "and": lambda: a & b, "minus": lambda: a - b}[operation]())


def has(subject, given):
    a = keys.set_from(given["set"])
    if "key" in given:
        return {"result": a.has(keys.key_of(given["key"]))}
    raise Unsupported("Python can query a set for one key at a time only")


def named_set(subject, given):
    name = given["name"]
    after = C._dispatch_keyset_full_after
    if name == "full":
        if not hasattr(C, "_dispatch_keyset_full"):
            raise Unsupported("this PyTorch does not give Python the full set")
        return {"result": keys.bits_reply(C._dispatch_keyset_full())}
    if name == "full_after":
        return {"result": keys.bits_reply(after(keys.key_of(given["key"])))}
    stands = {"after_autograd": "AutogradOther", "after_ADInplaceOrView": "ADInplaceOrView"}
    if name in stands:
        return {"result": keys.bits_reply(after(keys.key_of(stands[name])))}
    if name == "after_functionalize" and hasattr(C, "_after_functionalize_keyset"):
        return {"result": keys.bits_reply(C._after_functionalize_keyset)}
    raise Unsupported(f"Python has no set {name}")


def device_key(subject, given):
    raise Unsupported("Python does not show the key at which kernels for a device are registered")


def backend_key(subject, given):
    probes.needs_own_name(given["device"])
    try:
        probe = probes.make(given["device"], given["dtype"], given["layout"])
    except NotImplementedError as problem:
        raise Unsupported("PyTorch cannot make a tensor while this thread excludes its keys") from problem
    backends = [name for name in keys.names_in(keys.without_python(C._dispatch_keys(probe)))
                if not name.startswith(("Autograd", "Autocast", "AD"))]
    return {"result": backends[0] if backends else "Undefined"}


def make_tensor(subject, given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of layouts that are in beta
        if "keys" in given:
            wanted = keys.set_from(given["keys"])
            return {"result": twins.made_by_default(lambda: probes.make_with(wanted))}
        probes.needs_own_name(given["device"])
        what = (given["device"], given.get("dtype", torch.float32), given.get("layout", "strided"),
                given.get("inference", torch.is_inference_mode_enabled()))
        return {"result": twins.made_by_default(lambda: probes.make(*what))}


def tensor_keys(subject, given):
    of = given["of"]
    united = keys.EMPTY
    for one in of if isinstance(of, list) else [of]:
        if one is not None and not isinstance(one, torch.Tensor):
            raise Unsupported("Python does not show the keys of a generator")
        if one is not None:
            united = united | probes.keys_of(one)
    return {"result": keys.bits_reply(united)}


# -- the calling thread's sets ---------------------------------------------------------------------------------------

def thread_sets(subject, given):
    return {"included": keys.bits_reply(C._dispatch_tls_local_include_set()),
            "excluded": keys.bits_reply(C._dispatch_tls_local_exclude_set())}


class Guard:
    """A guard that is active from creation until it is left or dropped, like a C++ guard."""

    def __init__(self, *makers):
        self.held = []
        for make in makers:
            made = make()
            if hasattr(made, "__enter__"):
                made.__enter__()
            self.held.append(made)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        while self.held:
            made = self.held.pop()
            if hasattr(made, "__exit__"):
                made.__exit__(None, None, None)
            del made

    def __del__(self):
        self.__exit__()


def include(subject, given):
    if not hasattr(C, "_IncludeDispatchKeyGuard"):
        raise Unsupported("this PyTorch has no guard that includes keys")
    names = keys.names_in(keys.set_from(given["keys"])) or ["Undefined"]  # whose set is empty
    # Python's guard takes one key.
    return {"result": Guard(*(lambda name=name: C._IncludeDispatchKeyGuard(keys.key_of(name)) for name in names))}


def exclude_guard(excluded):
    kind = getattr(C, "_ExcludeDispatchKeyGuard", None) or C.ExcludeDispatchKeyGuard
    return Guard(lambda: kind(excluded))


def exclude(subject, given):
    return {"result": exclude_guard(keys.set_from(given["keys"]))}


def force(subject, given):
    if not hasattr(C, "_ForceDispatchKeyGuard"):
        raise Unsupported("this PyTorch has no guard that forces both sets")
    included, excluded = keys.set_from(given["included"]), keys.set_from(given["excluded"])
    return {"result": Guard(lambda: C._ForceDispatchKeyGuard(included, excluded))}


def below(subject, given):
    what = given["what"]
    if what == "inference_mode":
        return {"result": Guard(torch.inference_mode)}
    name = {"autograd": "_AutoDispatchBelowAutograd", "ADInplaceOrView": "_AutoDispatchBelowADInplaceOrView"}[what]
    if not hasattr(C, name):
        raise Unsupported(f"this PyTorch has no guard for what is below {what}")
    return {"result": Guard(getattr(C, name))}


FIRST = C._dispatch_tls_local_include_set(), C._dispatch_tls_local_exclude_set()


def thread_is_clean():
    """True if the thread's sets are those of a new thread. Restores them where PyTorch permits it."""
    def now():
        return C._dispatch_tls_local_include_set(), C._dispatch_tls_local_exclude_set()

    if [keys.bits_of(one) for one in now()] == [keys.bits_of(one) for one in FIRST]:
        return True
    if not hasattr(C, "_ForceDispatchKeyGuard"):
        return False
    KEPT.append(C._ForceDispatchKeyGuard(*FIRST))
    KEPT[-1].__enter__()
    return True


KEPT = []  # guards that are never left


def point(verb):
    """The functions that set or query one key of the thread."""
    def answer(subject, given):
        if not hasattr(C, f"_dispatch_tls_{verb}"):
            raise Unsupported("this PyTorch does not offer this to Python")
        key = keys.key_of(given["key"])
        arguments = (given["value"],) if verb.startswith("set") else ()
        result = getattr(C, f"_dispatch_tls_{verb}")(key, *arguments)
        return {} if verb.startswith("set") else {"result": result}

    return answer


COMMANDS = {
    "dispatch.keys": all_keys,
    "dispatch.key": one_key,
    "dispatch.members": members,
    "dispatch.parse_key": parse_key,
    "dispatch.set": operate,
    "dispatch.has": has,
    "dispatch.named_set": named_set,
    "dispatch.device_key": device_key,
    "dispatch.backend_key": backend_key,
    "dispatch.tensor": make_tensor,
    "dispatch.tensor_keys": tensor_keys,
    "dispatch.tls": thread_sets,
    "dispatch.include": include,
    "dispatch.exclude": exclude,
    "dispatch.force": force,
    "dispatch.below": below,
    "dispatch.set_included": point("set_dispatch_key_included"),
    "dispatch.set_excluded": point("set_dispatch_key_excluded"),
    "dispatch.is_included": point("is_dispatch_key_included"),
    "dispatch.is_excluded": point("is_dispatch_key_excluded"),
}
