// What a captured graph needs as long as it may run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cuda_impl/core/event_pool.hpp"
#include "cuda_impl/core/lent_memory.hpp"
#include "cuda_impl/core/storage.hpp"

namespace assay::cuda {

/// Owned by the graph. What its capture allocated lies in a pool of its own, and stays where it is
/// as long as the graph or a tensor needs it (CAP-005).
class GraphMemory {
 public:
  GraphMemory() = default;
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  const std::shared_ptr<CapturePool>& pool() const { return pool_; }
  /// Until the graph is gone, and its replays are over: they use it, though whoever it belongs to
  /// may be gone by then.
  void keep(std::shared_ptr<const Storage> used) { kept_.push_back(std::move(used)); }
  /// When one was put into that stream. The stream need not be there any more when it is over.
  void note_replay(StreamUse stream);
  /// A word of the current device that is 0, and that nobody else gets as long as the graph is
  /// there. Takes memory only for every hundredth or so.
  std::uint32_t* word();

 private:
  struct Replayed {
    StreamUse stream;
    std::optional<PooledEvent> latest = {};  ///< nothing where it could not be recorded

    bool is_over() const noexcept;
  };
  struct Words {
    int device = -1;
    std::uint32_t* next = nullptr;
    std::uint32_t* end = nullptr;
  };

  std::shared_ptr<CapturePool> pool_ = make_capture_pool();
  std::vector<std::shared_ptr<const Storage>> kept_;
  std::vector<Replayed> replayed_;  ///< an entry a stream, once there is something that is kept
  Words words_;                     ///< those that are left of the latest memory for words
};

/// Of the graph that the calling thread captures; null otherwise.
std::shared_ptr<GraphMemory>& memory_of_capture();

/// What the calling thread allocates and submits as long as it lives is done at once, on a stream
/// that does nothing else, and is no part of a capture. Waits when it ends; costs nothing where the
/// thread does not capture.
class OutsideCapture {
 public:
  OutsideCapture();
  ~OutsideCapture();
  OutsideCapture(const OutsideCapture&) = delete;
  OutsideCapture& operator=(const OutsideCapture&) = delete;

 private:
  class Detour;
  std::unique_ptr<Detour> detour_;
};

/// Destroys the streams of `OutsideCapture`, while nobody uses any.
void forget_detour_streams();

}  // namespace assay::cuda
