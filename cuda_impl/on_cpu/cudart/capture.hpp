// Stream capture: a capturing stream's work goes into a graph and runs when that is launched.
#pragma once

#include <driver_types.h>

#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cuda_impl/on_cpu/cudart/events.hpp"
#include "cuda_impl/on_cpu/cudart/timeline.hpp"

namespace assay::cuda::on_cpu {

/// An operation, or an external event that each launch records or waits for.
struct GraphNode {
  std::function<void()> run = {};
  std::int64_t takes_ns = 0;
  int fails_with = 0;
  cudaEvent_t recorded = nullptr;
  cudaEvent_t awaited = nullptr;

  bool is_event() const { return recorded != nullptr || awaited != nullptr; }
};

/// The nodes in call order, which satisfies all edges of the graph.
struct Graph {
  std::uint64_t id = 0;
  LinePtr origin;
  std::vector<LinePtr> lines;  ///< lines that are capturing into it
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread = {};  ///< the thread that began it
  bool is_invalid = false;
  bool is_over = false;
  std::map<const Line*, std::uint64_t> counts = {};  ///< number of operations of each line so far
  /// For each line, the number of other lines' operations that it has waited for.
  std::map<const Line*, std::map<const Line*, std::uint64_t>> known = {};
  std::vector<GraphNode> nodes;
  std::vector<void*> memory;  ///< allocated during the capture; freed with the graph

  Graph() = default;
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
};

/// The graph that the line is capturing into; null if it is not capturing.
std::shared_ptr<Graph> capture_of(const LinePtr& line);
/// The error code for a host query or wait while the line captures, or while another capture's mode
/// forbids it, which invalidates that capture (STR-029, FLT-016); 0 if it is permitted.
int refused_while_capturing(const LinePtr& line);
/// The same for an event.
int refused_while_capturing(const Event& event);
/// The same for a wait for all lines of a device.
int refused_while_device_captures(int device);
/// The result of querying a captured event; 0 if the event is not captured.
int verdict_on_captured(const Event& event);
/// Submits an operation to the device, or adds it to the graph. Returns an error code: 906 in the
/// legacy stream while a blocking stream captures, 901 in an invalidated capture.
int submit_or_capture(const LinePtr& line, Operation operation, const std::string& what);
/// The same for a kernel. A machine that blocks launches waits for it, and returns its error.
int launch_or_capture(std::unique_lock<std::mutex>& lock, const LinePtr& line, Operation&& kernel,
                      const std::string& what);
/// Adds a node to the capture of the line, which must capture.
int add_node(const LinePtr& line, GraphNode node);
/// Records an event in the capture of the line: an edge of the graph, and no node.
int add_edge(const LinePtr& line);
/// A line that waits for an event of a capture joins that capture.
int join_capture(const LinePtr& line, const Event& event);
/// Returns 905 if the line is capturing, because it cannot wait for uncaptured work.
int wait_outside(const LinePtr& line);
/// Makes the event represent everything that the line has done and waited for so far.
void remember(const LinePtr& line, Event& event);
/// Returns 0, or the error code of a call that the capture modes forbid.
int unsafe_while_capturing();
void forget_captures();

}  // namespace assay::cuda::on_cpu
