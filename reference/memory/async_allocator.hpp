// The other backend: the driver's own allocator, whose calls are ordered by streams (MEM-024).
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "reference/memory/block.hpp"
#include "reference/memory/stats.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// Any thread may use it.
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

  /// For at least one byte. Raises `out_of_memory`.
  Address malloc(int device, std::uint64_t size, const StreamTag& stream);
  /// False for what is not allocated.
  bool free(Address address);
  /// False for what is not allocated.
  bool record_stream(Address address, const StreamTag& stream);
  std::optional<Allocation> facts_of(Address address);

  void set_limit(int device, std::optional<std::uint64_t> bytes);
  /// Allocated and reserved bytes; everything else is 0.
  DeviceStats stats(int device);
  void reset_peak(int device);

 private:
  struct PerDevice {
    Stream joining;  ///< of the pool: it waits for all users of a block, and then frees it
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
      deferred_;  ///< freed in a capture they are not part of
};

}  // namespace assay::reference
