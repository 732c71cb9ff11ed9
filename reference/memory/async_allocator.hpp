// The stream-ordered backend, which uses the driver's own allocator (MEM-024).
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "reference/memory/block.hpp"
#include "reference/memory/stats.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// Thread-safe.
class AsyncAllocator {
 public:
  struct Allocation {
    int device = 0;
    std::uint64_t size = 0;
    StreamTag stream;
    std::vector<StreamTag> users = {};
    bool is_captured = false;
  };

  explicit AsyncAllocator(Runtime& runtime) : runtime_(runtime), driver_(driver_of(runtime)) {}

  /// `size` must be at least 1. Raises `out_of_memory`.
  Address malloc(int device, std::uint64_t size, const StreamTag& stream);
  /// Returns false for an address that is not allocated.
  bool free(Address address);
  /// Returns false for an address that is not allocated.
  bool record_stream(Address address, const StreamTag& stream);
  std::optional<Allocation> facts_of(Address address);

  void set_limit(int device, std::optional<std::uint64_t> bytes);
  /// Counts allocated and reserved bytes; all other values are 0.
  DeviceStats stats(int device);
  void reset_peak(int device);

 private:
  struct PerDevice {
    Stream joining;  ///< from the pool; waits for all users of a block and then frees it
    Stat used;
    std::optional<std::uint64_t> limit = {};
  };

  PerDevice& on_device(int device);
  void give_back(Address address, const Allocation& allocation);
  void join(const StreamTag& awaited, StreamHandle joining);
  void free_deferred();
  [[noreturn]] void fail(int device, std::uint64_t size);

  Runtime& runtime_;
  Driver& driver_;
  std::recursive_mutex mutex_;
  std::map<int, PerDevice> devices_;
  std::map<Address, Allocation> allocated_;
  std::vector<std::pair<Address, Allocation>>
      deferred_;  ///< freed during a capture that they do not belong to
};

}  // namespace assay::reference
