// Runtime calls for graphs: instantiation and launch.
#include <cuda_runtime_api.h>

#include <algorithm>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/capture.hpp"
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"

using namespace assay::cuda::on_cpu;

namespace {

using GraphPtr = std::shared_ptr<Graph>;

GraphPtr* graph_behind(void* handle) { return static_cast<GraphPtr*>(handle); }

/// An instantiated graph.
struct Instance {
  GraphPtr graph;
  bool frees_on_launch = false;
};

Instance* instance_behind(void* handle) { return static_cast<Instance*>(handle); }

/// Returns 1 if memory of an earlier launch, which this one allocates again, is not freed.
int refuse_launch(const Instance& instance) {
  const Memory& memory = Memory::get();
  for (const void* const address : instance.graph->memory) {
    if (instance.frees_on_launch || !memory.find(address)->is_alive) continue;
    return Calls::get().complain(1, "graph_launch: expected that " + memory.description(address) +
                                        " had been freed since the launch before");
  }
  return 0;
}

/// The nodes from `first` to before `last` as one operation.
Operation together(const GraphPtr& graph, std::size_t first, std::size_t last) {
  Operation all;
  all.takes_ns = 0;
  for (std::size_t i = first; i < last; ++i) {
    all.takes_ns += graph->nodes[i].takes_ns;
    all.fails_with = graph->nodes[i].fails_with;
  }
  all.run = [graph, first, last] {
    for (std::size_t i = first; i < last; ++i) {
      if (graph->nodes[i].run) graph->nodes[i].run();
    }
  };
  return all;
}

/// An event that was destroyed since the capture is passed over.
int launch_event(const GraphNode& node, const LinePtr& line) {
  if (capture_of(line) != nullptr) return add_node(line, node);
  const bool is_record = node.recorded != nullptr;
  Event* const event = Events::get().find(is_record ? node.recorded : node.awaited);
  if (event == nullptr) return 0;
  if (!is_record) return submit_or_capture(line, wait_for(*event), "wait");
  mark(*event, line);
  return 0;
}

/// Submits the nodes in their order. Events and kernels that fail stand alone; other nodes between
/// them are one operation.
int launch_nodes(const GraphPtr& graph, const LinePtr& line) {
  const std::vector<GraphNode>& nodes = graph->nodes;
  if (nodes.empty()) return submit_or_capture(line, together(graph, 0, 0), "graph");
  const auto is_alone = [&](std::size_t i) {
    return nodes[i].is_event() || nodes[i].fails_with != 0;
  };
  int code = 0;
  for (std::size_t first = 0; first < nodes.size() && code == 0;) {
    std::size_t last = first + 1;
    while (!is_alone(first) && last < nodes.size() && !is_alone(last)) ++last;
    code = nodes[first].is_event() ? launch_event(nodes[first], line)
                                   : submit_or_capture(line, together(graph, first, last), "graph");
    first = last;
  }
  return code;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                          unsigned long long flags) {
  const bool frees = (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  *made = reinterpret_cast<cudaGraphExec_t>(new Instance{*graph_behind(graph), frees});
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  return call("graph_launch", shown(stream), true, [&](auto&) {
    const LinePtr line = line_of(stream);
    if (line == nullptr) return 400;
    const Instance& instance = *instance_behind(graph);
    if (const int code = refuse_launch(instance); code != 0) return code;
    return launch_nodes(instance.graph, line);
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  auto lock = Machine::get().lock();
  delete graph_behind(graph);
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  auto lock = Machine::get().lock();
  delete instance_behind(graph);
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, std::size_t* count) {
  auto lock = Machine::get().lock();
  *count = (*graph_behind(graph))->nodes.size();
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*,
                                         std::size_t* count) {
  *count = 0;
  return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char*, unsigned) { return answer(801); }

}  // extern "C"
