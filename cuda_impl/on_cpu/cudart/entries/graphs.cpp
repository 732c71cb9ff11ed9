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
    Operation run;
    run.run = [held = instance.graph] {
      for (const auto& operation : held->operations) operation();
    };
    return submit_or_capture(line, std::move(run), "graph");
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
  *count = 0;
  for (const auto& [line, operations] : (*graph_behind(graph))->counts) *count += operations;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*,
                                         std::size_t* count) {
  *count = 0;
  return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char*, unsigned) { return answer(801); }

}  // extern "C"
