// Memory that a CUDA graph keeps for its replays.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cuda_impl/core/allocated_memory.hpp"
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
  std::vector<std::shared_ptr<const Storage>> kept_;
  std::vector<Replayed> replayed_;  ///< one entry for each stream, if anything is kept
  Words words_;                     ///< the rest of the last block allocated for words
};

/// The memory of the graph that the calling thread is capturing; null if none.
std::shared_ptr<GraphMemory>& memory_of_capture();

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

}  // namespace assay::cuda
