// The memory of a captured graph: it stays where it is as long as the graph may run.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace assay::cuda {

/// Owned by the graph and by the storages that lie in it; freed when the last of them is gone.
class GraphMemory {
 public:
  GraphMemory() = default;
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  /// Does not become part of the graph. Raises `out_of_memory`.
  std::byte* allocate(int device, std::size_t size_bytes);
  /// Memory from outside that was let go in the capture, where freeing it would become part of the
  /// graph: given back by `end_capture`.
  void free_later(int device, std::byte* data);
  /// Until the graph is gone: replays use it, though whoever it belongs to may be gone by then.
  void keep(std::shared_ptr<const void> used) { kept_.push_back(std::move(used)); }
  void end_capture() noexcept;

 private:
  struct Piece {
    int device;
    std::byte* data;
  };
  std::vector<Piece> pieces_;
  std::vector<Piece> let_go_;
  std::vector<std::shared_ptr<const void>> kept_;
};

/// Where the calling thread's allocations come from while it captures; null otherwise.
std::shared_ptr<GraphMemory>& memory_of_capture();

/// What the calling thread allocates and submits as long as it lives is done at once, on a stream
/// of its own of the current device, and is no part of a capture. Waits when it ends; costs nothing
/// where the thread does not capture.
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

}  // namespace assay::cuda
