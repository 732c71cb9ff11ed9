// The allocator of all CUDA devices, by address.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference/memory/async_allocator.hpp"
#include "reference/memory/device_allocator.hpp"
#include "reference/memory/device_bytes.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// Environment variables, read at the first use of the allocator.
struct AllocatorEnvironment {
  std::optional<std::string> alloc_conf = {};       ///< PYTORCH_ALLOC_CONF, since 2.9
  std::optional<std::string> cuda_alloc_conf = {};  ///< PYTORCH_CUDA_ALLOC_CONF
  std::optional<AllocatorBackend> backend = {};
  bool is_uncached = false;  ///< PYTORCH_NO_CUDA_MEMORY_CACHING (MEM-027)
};

/// A snapshot of an allocated block.
struct BlockFacts {
  Address address = 0;
  std::uint64_t size = 0;
  std::uint64_t requested = 0;
  Address segment = 0;
  StreamTag stream;
};

/// Thread-safe. Devices are given by index;
/// a missing index means the current device.
class CachingAllocator {
 public:
  explicit CachingAllocator(Runtime& runtime);
  ~CachingAllocator();
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  /// Returns 0 for 0 bytes (MEM-001). The stream must be on the device (MEM-022).
  Address malloc(int device, std::uint64_t size, const Stream& stream);
  /// Ignores 0. Raises `error` for an unallocated address (MEM-020), and `device` if the driver
  /// fails; the block then stays allocated.
  void free(Address address);
  /// Ignores 0 and uncached memory. Raises `internal`
  /// for an unallocated address (MEM-006).
  void record_stream(Address address, const Stream& stream);
  /// Empty for an address that is not allocated.
  std::optional<BlockFacts> facts_of(Address address);

  void empty_cache();
  struct Info {
    std::uint64_t free_bytes = 0;
    std::uint64_t total_bytes = 0;
  };
  /// What the driver says of the device (MEM-032).
  Info info_of(int device);
  /// Raises `error` for a fraction outside [0, 1] (MEM-012). Leaves the device current in the
  /// releases where PyTorch does so.
  void set_fraction(int device, double fraction);
  /// Sets the given options, and some others to their defaults (MEM-029); raises like
  /// `parse_options`.
  void configure(const std::string& options);
  /// May be changed until the first use.
  AllocatorEnvironment& environment() { return environment_; }
  const AllocatorConfig& config();
  void add_observer(AllocatorSettings::Observer observer);
  void add_free_callback(AllocatorSettings::FreeCallback callback);

  /// Raises `internal` for an index without a device (MEM-020).
  DeviceAllocator& of_device(int device);
  DeviceStats stats(int device);
  void reset_peak(int device);
  DeviceBytes& bytes() { return *bytes_; }
  /// Shared, for work that may outlive the allocator.
  std::shared_ptr<DeviceBytes> shared_bytes() { return bytes_; }
  StreamTag tag_of(const Stream& stream);

 private:
  struct Allocation {
    int device = 0;
    Block* block = nullptr;  ///< null for uncached memory
    std::uint64_t size = 0;
  };

  void use_environment();
  void check_backend(const AllocatorConfig& changed, const std::string& options) const;
  std::uint64_t share_of_device(int device, double fraction);
  Address malloc_uncached(int device, std::uint64_t size);
  bool is_async() { return config().backend == AllocatorBackend::kAsync; }
  AsyncAllocator& async();
  void free_async(Address address);
  void give_back(Address address, const Allocation& allocation);
  std::optional<Allocation> find(Address address);
  std::optional<Allocation> take(Address address);

  Runtime& runtime_;
  std::mutex mutex_;  ///< protects the members below; not held while a device allocator runs
  AllocatorEnvironment environment_;
  bool is_used_ = false;
  AllocatorSettings settings_;
  std::shared_ptr<DeviceBytes> bytes_ = std::make_shared<DeviceBytes>();
  std::vector<std::unique_ptr<DeviceAllocator>> devices_;
  std::unordered_map<Address, Allocation> allocated_;
  std::unique_ptr<AsyncAllocator> async_;
};

/// Created at its first use and kept until the next reset.
CachingAllocator& allocator_of(Runtime& runtime);

}  // namespace assay::reference
