// CUDA graphs: captures the work of a stream and replays it.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <memory>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/graph_memory.hpp"

namespace assay::cuda {

struct StreamOfDevice {
  int device = 0;
  StreamHere stream;
};

/// Names the pools that several captures use, one for each device. The graphs own them: when all
/// those of a device were reset, its next capture begins a new one.
struct PoolOfCaptures {
  std::map<int, std::weak_ptr<CapturePool>> of_device;
};

/// Not thread-safe. The destructor ends a capture that is in progress.
class Graph {
 public:
  /// Raises `error` if there is no device. If `is_kept`, the captured graph stays, and becomes
  /// executable on request or at the first replay.
  explicit Graph(bool is_kept = false);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Begins a capture on the graph's own stream of the current device and makes it current until
  /// `end`. Raises `error` if the current stream is capturing, the graph already holds a capture,
  /// or a capture into the same pool is in progress. Without a pool, the capture gets its own.
  void begin(cudaStreamCaptureMode mode, std::shared_ptr<PoolOfCaptures> pool = nullptr);
  /// The same on the caller's stream, which must outlive the capture.
  void begin(cudaStreamCaptureMode mode, StreamOfDevice stream,
             std::shared_ptr<PoolOfCaptures> pool = nullptr);
  void end(Release release);
  /// Launches the graph on the current stream of the capture's device; does not wait.
  void replay();
  /// Makes a kept graph executable, again if it was already.
  void instantiate();
  /// Raises `error` unless the graph holds a capture.
  std::shared_ptr<PoolOfCaptures> pool() const;
  /// Discards the captured graph; does not affect a capture in progress.
  void reset();

 private:
  /// Scopes that last during a capture: the current stream and the memory pool.
  class Capture;

  bool holds_capture() const { return executable_ != nullptr || captured_ != nullptr; }
  void make_executable();
  void require_empty() const;
  void require_own_stream() const;
  [[noreturn]] void refuse_end(Release release) const;
  void capture_on(StreamOfDevice stream, cudaStreamCaptureMode mode,
                  std::shared_ptr<PoolOfCaptures> pool);

  StreamOfDevice own_;     ///< created by the first capture without a given stream
  StreamOfDevice stream_;  ///< of the latest capture; initially the current stream
  std::unique_ptr<Capture> capture_;
  std::shared_ptr<GraphMemory> memory_;
  std::shared_ptr<PoolOfCaptures> pool_;
  cudaGraph_t captured_ = nullptr;  ///< only while a kept graph holds a capture
  cudaGraphExec_t executable_ = nullptr;
  bool is_kept_;
  bool was_used_ = false;  ///< a capture of it has begun
};

/// Returns whether the current stream of the calling thread's current device is capturing.
bool is_capturing();

}  // namespace assay::cuda
