// Work that a stream was given while it captured, to be run as often as it is asked to.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/graph_memory.hpp"

namespace assay::cuda {

struct StreamOfDevice {
  int device = 0;
  StreamHere stream;
};

/// Not thread-safe. The destructor ends a capture that is under way.
class Graph {
 public:
  /// Raises `error` where there is no device.
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// On a stream of its own of the current device, which is the thread's current one until `end`.
  /// Raises `error` while the current stream captures, and for a graph that holds something.
  void begin(cudaStreamCaptureMode mode);
  /// On a stream of somebody else's, which outlives the capture.
  void begin(cudaStreamCaptureMode mode, StreamOfDevice stream);
  void end(Release release);
  /// Into the current stream of the capture's device; does not wait.
  void replay() const;
  /// Forgets what was captured; a capture under way goes on.
  void reset();

 private:
  /// While it captures: what is the thread's current stream, and where its memory comes from.
  class Capture;

  void instantiate(cudaGraph_t captured, Release release);

  void require_empty() const;
  void require_own_stream() const;
  void capture_on(StreamOfDevice stream, cudaStreamCaptureMode mode);

  StreamOfDevice own_;     ///< made by the first capture that was given none
  StreamOfDevice stream_;  ///< of the latest capture; before the first, what was current
  std::unique_ptr<Capture> capture_;
  std::shared_ptr<GraphMemory> memory_;
  cudaGraphExec_t executable_ = nullptr;
};

/// Does the stream that the thread works on, on its current device, capture?
bool is_capturing();

}  // namespace assay::cuda
