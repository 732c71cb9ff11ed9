"""Area graph: capture and replay."""

import torch

from areas.runtime_streams import as_cuda
from waist.wire import Invalid, Unsupported


class OfCuda:
    """Graphs of torch.cuda."""

    stream, on = torch.cuda.Stream, staticmethod(torch.cuda.stream)
    is_capturing = staticmethod(torch.cuda.is_current_stream_capturing)

    @staticmethod
    def new(**options):
        return torch.cuda.CUDAGraph(**options)

    @staticmethod
    def begin(graph, mode, **options):
        graph.capture_begin(**options, **({} if mode is None else {"capture_error_mode": mode}))


UNDER_WAY = set()  # graphs that capture; asking a stream while none does would be a call that no client made


def is_captured():
    """True if the work of this thread's current stream is captured."""
    return any(graph.ways.is_capturing() for graph in list(UNDER_WAY)[:1])


def refuse_values():
    """A value made for a single command would not exist when a graph is replayed."""
    if is_captured():
        raise Invalid("while the current stream captures, tensors are given by name")


def is_unseen(value, name_of):
    """True if the elements must be read to represent the value."""
    if isinstance(value, torch.Tensor):
        return value.device.type not in ("cpu", "meta") and name_of(value) is None
    return isinstance(value, (list, tuple)) and any(is_unseen(item, name_of) for item in value)


class Pool:
    """The number by which PyTorch knows a pool of memory for captures."""

    def __init__(self, number):
        self.number = number


class Graph:
    """A PyTorch graph, with the stream on which it captures."""

    def __init__(self, ways, given=None):
        given = given or {}
        self.ways, self.graph = ways, ways.new(**({"keep_graph": given["keep"]} if "keep" in given else {}))
        self.own, self.scope = None, None

    def begin(self, stream, given):
        if stream is None:
            stream = self.own = self.own or self.ways.stream()
        scope = self.ways.on(stream)
        scope.__enter__()
        try:
            self.ways.begin(self.graph, given.get("mode"), **({"pool": given["pool"].number} if "pool" in given else {}))
        except BaseException:
            scope.__exit__(None, None, None)
            raise
        self.scope = scope
        UNDER_WAY.add(self)

    def end(self):
        scope = self.scope
        try:
            self.graph.capture_end()
        except RuntimeError as problem:
            if "same stream" in str(problem):
                raise  # it goes on
            self.leave(scope)
            raise
        self.leave(scope)

    def leave(self, scope):
        self.scope = None
        UNDER_WAY.discard(self)
        if scope is not None:
            scope.__exit__(None, None, None)


def make(subject, given):
    if not torch.cuda.is_available():
        raise Unsupported("without a CUDA device PyTorch has no graphs")
    return {"result": Graph(OfCuda, given)}


def begin(subject, given):
    stream = as_cuda(given["stream"]) if "stream" in given else None
    if torch.cuda.is_current_stream_capturing():
        raise Unsupported("PyTorch refuses this, and crashes when the refused graph is destroyed")
    given["graph"].begin(stream, given)


def is_capturing(subject, given):
    if not torch.cuda.is_available():
        raise Unsupported("without a CUDA device PyTorch has no graphs")
    return {"result": torch.cuda.is_current_stream_capturing()}


def pool_handle(subject, given):
    return {"result": Pool(torch.cuda.graph_pool_handle())}


LIFE = {
    "graph.end": lambda subject, given: given["graph"].end(),
    "graph.replay": lambda subject, given: given["graph"].graph.replay(),
    "graph.reset": lambda subject, given: given["graph"].graph.reset(),
    "graph.instantiate": lambda subject, given: given["graph"].graph.instantiate(),
    "graph.pool": lambda subject, given: {"result": Pool(given["graph"].graph.pool())},
}
COMMANDS = {
    "graph.new": make,
    "graph.begin": begin,
    **LIFE,
    "graph.pool_handle": pool_handle,
    "graph.is_capturing": is_capturing,
}
