// Capture: what a stream is given goes into a graph, and is done when the graph is launched.
#pragma once

#include <driver_types.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cuda_impl/on_cpu/cudart/events.hpp"
#include "cuda_impl/on_cpu/cudart/timeline.hpp"

namespace assay::cuda::on_cpu {

/// Its operations in the order of the calls, which is one that every edge of it permits.
struct Graph {
  std::uint64_t id = 0;
  LinePtr origin;
  std::vector<LinePtr> lines;  ///< those that capture into it
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread = {};  ///< that began it
  bool is_invalid = false;
  bool is_over = false;
  std::map<const Line*, std::uint64_t> counts = {};  ///< operations of each line so far
  /// How many operations of other lines each line has waited for.
  std::map<const Line*, std::map<const Line*, std::uint64_t>> known = {};
  std::vector<std::function<void()>> operations;
  std::vector<void*> memory;  ///< allocated while capturing; goes with the graph

  Graph() = default;
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
};

/// The graph that the line captures into; null when it does not.
std::shared_ptr<Graph> capture_of(const LinePtr& line);
/// The code for a host that wants to know or wait while the line captures, or another one whose
/// mode does not permit it, which spoils the capture (STR-029, FLT-016); 0 when it may.
int refused_while_capturing(const LinePtr& line);
/// The same for an event.
int refused_while_capturing(const Event& event);
/// The same for a host that waits for all lines of a device.
int refused_while_device_captures(int device);
/// What an event of a capture answers whoever asks; 0 for an event of none.
int verdict_on_captured(const Event& event);
/// An operation goes to the devices, or into the graph. A code: 906 in the legacy stream while a
/// blocking stream captures, 901 when the capture is spoilt.
int submit_or_capture(const LinePtr& line, Operation operation, const std::string& what);
/// A line that waits for an event of a captured line captures with it.
int join_capture(const LinePtr& line, const Event& event);
/// 905 when the line captures: it cannot wait for what is not captured with it.
int wait_outside(const LinePtr& line);
/// What the line has done and waited for so far is what the event stands for.
void remember(const LinePtr& line, Event& event);
/// 0, or the code for a call that the modes of the captures and of this thread do not permit.
int unsafe_while_capturing();
void forget_captures();

}  // namespace assay::cuda::on_cpu
