// Tracks capturing lines and builds their graphs.
#include "cuda_impl/on_cpu/cudart/capture.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"

namespace assay::cuda::on_cpu {
namespace {

using GraphPtr = std::shared_ptr<Graph>;

std::vector<GraphPtr>& captures() {
  static auto* const graphs = new std::vector<GraphPtr>();
  return *graphs;
}

std::uint64_t next_id() {
  static std::uint64_t ids = 0;
  return ++ids;
}

/// Returns whether the origin of the capture depends on all work of the other lines.
bool is_joined(Graph& graph) {
  for (const LinePtr& line : graph.lines) {
    if (line == graph.origin) continue;
    if (graph.known[graph.origin.get()][line.get()] < graph.counts[line.get()]) return false;
  }
  return true;
}

/// The captures that block the legacy line of a device: those of its blocking lines.
std::vector<GraphPtr> closing(const LinePtr& line) {
  std::vector<GraphPtr> found;
  if (line->kind != LineKind::kLegacy) return found;
  std::ranges::copy_if(captures(), std::back_inserter(found), [&](const GraphPtr& graph) {
    return std::ranges::any_of(graph->lines, [&](const LinePtr& other) {
      return other->kind == LineKind::kBlocking && other->device == line->device;
    });
  });
  return found;
}

/// Use of the legacy line invalidates these captures.
bool is_legacy_closed(const LinePtr& line) {
  const std::vector<GraphPtr> spoilt = closing(line);
  for (const GraphPtr& graph : spoilt) graph->is_invalid = true;
  return !spoilt.empty();
}

}  // namespace

Graph::~Graph() {
  for (void* const address : memory) Memory::get().destroy(address);
}

GraphPtr capture_of(const LinePtr& line) {
  for (const GraphPtr& graph : captures()) {
    if (std::find(graph->lines.begin(), graph->lines.end(), line) != graph->lines.end()) {
      return graph;
    }
  }
  return nullptr;
}

int refused_while_capturing(const LinePtr& line) {
  if (is_legacy_closed(line)) return 906;
  const GraphPtr graph = capture_of(line);
  if (graph == nullptr) return unsafe_while_capturing();
  graph->is_invalid = true;
  return 900;
}

int refused_while_capturing(const Event& event) {
  const int code = verdict_on_captured(event);
  if (code == 0) return unsafe_while_capturing();
  event.capture->is_invalid = true;
  return code;
}

int verdict_on_captured(const Event& event) {
  if (event.capture == nullptr) return 0;
  return event.capture->is_invalid || event.capture->is_over ? 1 : 907;
}

int refused_while_device_captures(int device) {
  int code = 0;
  for (const GraphPtr& graph : captures()) {
    if (graph->origin->device != device) continue;
    graph->is_invalid = true;
    code = 900;
  }
  return code;
}

int submit_or_capture(const LinePtr& line, Operation operation, const std::string&) {
  if (is_legacy_closed(line)) return 906;
  const GraphPtr graph = capture_of(line);
  if (graph == nullptr) {
    Machine::get().submit(line, std::move(operation));
    return 0;
  }
  return add_node(line, {std::move(operation.run), operation.takes_ns, operation.fails_with});
}

int add_node(const LinePtr& line, GraphNode node) {
  const int code = add_edge(line);
  if (code == 0) capture_of(line)->nodes.push_back(std::move(node));
  return code;
}

int add_edge(const LinePtr& line) {
  const GraphPtr graph = capture_of(line);
  if (graph->is_invalid) return 901;
  ++graph->counts[line.get()];
  return 0;
}

int launch_or_capture(std::unique_lock<std::mutex>& lock, const LinePtr& line, Operation&& kernel,
                      const std::string& what) {
  const int code = submit_or_capture(line, std::move(kernel), what);
  const bool waits = code == 0 && shape().blocks_launches && capture_of(line) == nullptr;
  if (!waits) return code;
  return Machine::get().wait(lock, {end_of(line)}) ? Machine::get().lost(line->device) : 702;
}

int join_capture(const LinePtr& line, const Event& event) {
  Graph& graph = *event.capture;
  if (graph.is_over) return 1;
  const GraphPtr own = capture_of(line);
  const bool is_another = own != nullptr && own != event.capture;
  if (is_another || line->kind == LineKind::kLegacy) graph.is_invalid = true;
  if (is_another) own->is_invalid = true;
  if (is_another) return 902;
  if (line->kind == LineKind::kLegacy) return 906;
  if (own == nullptr) graph.lines.push_back(line);
  // The line inherits everything that the event depends on.
  for (const auto& [other, count] : event.captured) {
    std::uint64_t& known = graph.known[line.get()][other];
    known = std::max(known, count);
  }
  return 0;
}

int wait_outside(const LinePtr& line) {
  const GraphPtr graph = capture_of(line);
  if (graph == nullptr) return 0;
  graph->is_invalid = true;
  return 905;
}

void remember(const LinePtr& line, Event& event) {
  Graph& graph = *event.capture;
  event.captured = graph.known[line.get()];
  event.captured[line.get()] = graph.counts[line.get()];
}

int unsafe_while_capturing() {
  const cudaStreamCaptureMode mode = thread_state().capture_mode;
  int code = 0;
  for (const GraphPtr& graph : captures()) {
    const bool is_own = graph->thread == std::this_thread::get_id();
    const bool is_kept = is_own && graph->mode != cudaStreamCaptureModeRelaxed;
    const bool is_of_all = graph->mode == cudaStreamCaptureModeGlobal && mode == graph->mode;
    if (mode == cudaStreamCaptureModeRelaxed || (!is_kept && !is_of_all)) continue;
    graph->is_invalid = true;
    code = 900;
  }
  return code;
}

void forget_captures() {
  for (const GraphPtr& graph : captures()) graph->is_over = true;
  captures().clear();
}

}  // namespace assay::cuda::on_cpu

using namespace assay::cuda::on_cpu;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call("capture_begin", shown(stream), true, [&](auto&) {
    const LinePtr line = line_of(stream);
    if (line == nullptr) return 400;
    if (line->kind == LineKind::kLegacy) return 900;
    if (capture_of(line) != nullptr) return 401;
    auto graph = std::make_shared<Graph>();
    graph->id = next_id();
    graph->origin = line;
    graph->mode = mode;
    graph->thread = std::this_thread::get_id();
    graph->lines = {line};
    captures().push_back(graph);
    return 0;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* made) {
  return call("capture_end", shown(stream), true, [&](auto&) {
    const LinePtr line = line_of(stream);
    const auto graph = line == nullptr ? nullptr : capture_of(line);
    if (graph == nullptr) return 401;
    const bool is_strict = graph->mode != cudaStreamCaptureModeRelaxed;
    if (graph->origin == line && is_strict && graph->thread != std::this_thread::get_id())
      return 908;
    if (graph->origin != line) graph->is_invalid = true;
    if (graph->origin != line) return 903;
    std::erase(captures(), graph);
    graph->is_over = true;
    *made = nullptr;
    if (graph->is_invalid) return 901;
    if (!is_joined(*graph)) return 904;
    *made = reinterpret_cast<cudaGraph_t>(new std::shared_ptr<Graph>(graph));
    return 0;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return call("capture_status", shown(stream), false, [&](auto&) {
    const LinePtr line = line_of(stream);
    if (line == nullptr) return 400;
    if (!closing(line).empty()) return 906;
    const auto graph = capture_of(line);
    *status = graph == nullptr    ? cudaStreamCaptureStatusNone
              : graph->is_invalid ? cudaStreamCaptureStatusInvalidated
                                  : cudaStreamCaptureStatusActive;
    return 0;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, std::size_t* count) {
  const cudaError_t code = cudaStreamIsCapturing(stream, status);
  if (code != cudaSuccess) return code;
  auto lock = Machine::get().lock();
  const auto captured = capture_of(line_of(stream));
  if (id != nullptr) *id = captured == nullptr ? 0 : captured->id;
  if (graph != nullptr) *graph = nullptr;
  if (dependencies != nullptr) *dependencies = nullptr;
  if (edges != nullptr) *edges = nullptr;
  if (count != nullptr) *count = 0;
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, thread_state().capture_mode);
  return cudaSuccess;
}

}  // extern "C"
