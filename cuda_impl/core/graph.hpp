// CUDA graphs: captures the work of a stream and replays it.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/graph_memory.hpp"

namespace assay::cuda {

struct StreamOfDevice {
  int device = 0;
  StreamHere stream;
};

/// Not thread-safe. The destructor ends a capture that is in progress.
class Graph {
 public:
  /// Raises `error` if there is no device.
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Begins a capture on the graph's own stream of the current device and makes it current until
  /// `end`. Raises `error` if the current stream is capturing or the graph already holds a capture.
  void begin(cudaStreamCaptureMode mode);
  /// Like `begin(mode)`, on the caller's stream, which must outlive the capture.
  void begin(cudaStreamCaptureMode mode, StreamOfDevice stream);
  void end(Release release);
  /// Launches the graph on the current stream of the capture's device; does not wait.
  void replay() const;
  /// Discards the captured graph; does not affect a capture in progress.
  void reset();

 private:
  /// Scopes that last during a capture: the current stream and the memory pool.
  class Capture;

  void instantiate(cudaGraph_t captured, Release release);

  void require_empty() const;
  void require_own_stream() const;
  [[noreturn]] void refuse_end(Release release) const;
  void capture_on(StreamOfDevice stream, cudaStreamCaptureMode mode);

  StreamOfDevice own_;     ///< created by the first capture without a given stream
  StreamOfDevice stream_;  ///< of the latest capture; initially the current stream
  std::unique_ptr<Capture> capture_;
  std::shared_ptr<GraphMemory> memory_;
  cudaGraphExec_t executable_ = nullptr;
  bool was_used_ = false;  ///< a capture of it has begun
};

/// Returns whether the current stream of the calling thread's current device is capturing.
bool is_capturing();

}  // namespace assay::cuda
