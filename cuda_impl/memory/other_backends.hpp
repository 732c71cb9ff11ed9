// Backends that cache nothing: stream-ordered allocation from the driver's pools (MEM-024) and
// plain driver allocation (MEM-027).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cuda_impl/memory/block.hpp"
#include "cuda_impl/memory/statistics.hpp"

namespace assay::cuda::memory {

/// Thread-safe.
class PlainBackend {
 public:
  explicit PlainBackend(bool is_async) : is_async_(is_async) {}

  Block& allocate(std::size_t size_bytes, StreamUse stream);
  /// Raises `device`; the block then stays allocated.
  void free(Block& block);
  void note_use(Block& block, StreamUse user);
  Block* find(const void* address);
  Statistics statistics(int device);
  void set_limit(int device, std::optional<std::size_t> bytes);
  bool is_empty();

 private:
  struct OfDevice {
    cudaStream_t freeing = nullptr;  ///< frees blocks that several streams used
    bool is_used = false;
    std::optional<std::size_t> limit_bytes;
    Stat bytes;
  };
  struct Kept {
    Block block;
    int device = 0;
    bool is_captured = false;  ///< allocated during a capture, by a graph node
  };

  void* allocate_async(std::size_t size_bytes, StreamUse stream);
  static void* allocate_at_once(std::size_t size_bytes);
  void free_async(const Kept& kept);
  void free_behind_all(const Kept& kept, OfDevice& device);
  void free_deferred();
  void forget(const Block& block);
  OfDevice& used(int device);
  [[noreturn]] void raise_out_of_memory(std::size_t size_bytes, int device);

  const bool is_async_;
  std::mutex mutex_;
  std::map<int, OfDevice> devices_;
  std::map<const void*, std::unique_ptr<Kept>> kept_;
  std::vector<const Block*> deferred_;  ///< freed during a capture; not yet returned
};

}  // namespace assay::cuda::memory
