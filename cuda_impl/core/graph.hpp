// CUDA graphs: captures the work of a stream and replays it; and memory that a graph keeps for its
// replays.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/event_pool.hpp"
#include "cuda_impl/core/storage.hpp"

namespace assay::cuda {

/// Owned by the graph. Allocations made during the capture come from a private pool, and keep their
/// address as long as the graph or a tensor uses them (CAP-005).
class GraphMemory {
 public:
  explicit GraphMemory(std::shared_ptr<CapturePool> pool) : pool_(std::move(pool)) {}
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  const std::shared_ptr<CapturePool>& pool() const { return pool_; }
  /// Whether the capture is in progress.
  bool is_open() const { return is_open_.load(); }
  void open() { is_open_ = true; }
  void close() { is_open_ = false; }
  /// Keeps a storage alive until the graph is destroyed and its replays are finished, since they
  /// access it even if its owner is gone.
  void keep(std::shared_ptr<const Storage> used) { kept_.push_back(std::move(used)); }
  /// Records a replay on the stream. The stream may be destroyed before the replay has finished.
  void note_replay(StreamUse stream);
  /// Returns a zeroed word of the current device that is reserved for the graph's lifetime.
  /// Allocates only once in about a hundred calls.
  std::uint32_t* word();

 private:
  struct Replayed {
    StreamUse stream;
    std::optional<PooledEvent> latest = {};  ///< empty if recording the event failed

    bool is_over() const noexcept;
  };
  struct Words {
    int device = -1;
    std::uint32_t* next = nullptr;
    std::uint32_t* end = nullptr;
  };

  std::shared_ptr<CapturePool> pool_;
  std::atomic<bool> is_open_ = false;
  std::vector<std::shared_ptr<const Storage>> kept_;
  std::vector<Replayed> replayed_;  ///< one entry for each stream, if anything is kept
  Words words_;                     ///< the rest of the last block allocated for words
};

/// The memory of the graph whose capture the calling thread began last, of those in progress; null
/// if none.
std::shared_ptr<GraphMemory> memory_of_capture();

/// For the scope, allocations and work of the calling thread go to a separate stream and run at
/// once instead of being captured. The destructor waits for them. Costs nothing if the thread is
/// not capturing.
class OutsideCapture {
 public:
  OutsideCapture();
  ~OutsideCapture();
  OutsideCapture(const OutsideCapture&) = delete;
  OutsideCapture& operator=(const OutsideCapture&) = delete;

 private:
  class SideStream;
  std::unique_ptr<SideStream> side_stream_;
};

/// Destroys the streams of `OutsideCapture`; none may be in use.
void forget_side_streams();

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
