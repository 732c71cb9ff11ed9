"""Area graph on an accelerator, and captures of the area runtime: torch.accelerator.Graph, available since 2.12."""

import torch

from areas import graph
from areas.accelerator_streams import kind_of, on
from devices import backend
from waist.wire import Unsupported


class OfAccelerator:
    """Graphs of torch.accelerator, whose mode is an attribute of the graph."""

    def __init__(self, kind):
        self.kind, self.on = kind, on

    def new(self, **options):
        return backend.offered(self.kind, ".Graph")(**options)

    def stream(self):
        return torch.Stream(backend.current(self.kind))

    def current(self):
        return backend.offered(self.kind, ".current_stream", "current_stream")(backend.current(self.kind).index)

    def is_capturing(self):
        return self.current().is_capturing()

    @staticmethod
    def begin(graph, mode, pool=None):
        graph.graph_pool, graph.capture_error_mode = pool, mode or "default"
        graph.capture_begin()


def make(subject, given):
    return {"result": graph.Graph(OfAccelerator(kind_of(subject)), given)}


def begin(subject, given):
    graph, stream = given["graph"], given.get("stream")
    if stream is None and graph.ways.is_capturing():
        stream = graph.ways.current()  # where it is refused
    graph.begin(stream, given)


def is_capturing(subject, given):
    return {"result": OfAccelerator(kind_of(subject)).is_capturing()}


def capture_begin(subject, given):
    stream = given["stream"]
    made = graph.Graph(OfAccelerator(kind_of(subject)))
    made.begin(stream, given)
    made.leave(made.scope)  # the capture goes on, and the thread's current stream is what it was
    subject.captures[stream] = made
    return {}


def capture_end(subject, given):
    if given["stream"] not in subject.captures:
        raise Unsupported("a capture that was not begun here cannot be ended in Python")
    made = subject.captures.pop(given["stream"])
    with on(given["stream"]):
        made.graph.capture_end()
    return {}


COMMANDS = {
    **{verb: (answer, ".Graph") for verb, answer in graph.LIFE.items()},
    "graph.new": (make, ".Graph"),
    "graph.begin": (begin, ".Graph"),
    "graph.is_capturing": (is_capturing, "torch.Stream.is_capturing"),
    "runtime.capture_begin": (capture_begin, ".Graph"),
    "runtime.capture_end": (capture_end, ".Graph"),
}
