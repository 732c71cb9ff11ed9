// The allocator of all CUDA devices: what hands out and takes back addresses.
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

/// What the environment says at the allocator's first use.
struct AllocatorEnvironment {
  std::optional<std::string> alloc_conf = {};       ///< PYTORCH_ALLOC_CONF, since 2.9
  std::optional<std::string> cuda_alloc_conf = {};  ///< PYTORCH_CUDA_ALLOC_CONF
  std::optional<AllocatorBackend> backend = {};
  bool is_uncached = false;  ///< PYTORCH_NO_CUDA_MEMORY_CACHING (MEM-027)
};

/// An allocated block as it is now.
struct BlockFacts {
  Address address = 0;
  std::uint64_t size = 0;
  std::uint64_t requested = 0;
  Address segment = 0;
  StreamTag stream;
};

/// Any thread may use it. Devices are indices; where one is needed and none is said, it is the
/// current one.
class CachingAllocator {
 public:
  explicit CachingAllocator(Runtime& runtime);
  ~CachingAllocator();
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  /// 0 for no bytes (MEM-001). The stream is of that device (MEM-022).
  Address malloc(int device, std::uint64_t size, const Stream& stream);
  /// 0 is nothing. Raises `error` for what is not allocated (MEM-020), and `device` when the driver
  /// fails: then it is not freed.
  void free(Address address);
  /// Nothing for 0 and for memory of an uncached allocator; raises `internal` for an address that
  /// is not allocated (MEM-006).
  void record_stream(Address address, const Stream& stream);
  /// Nothing for an address that is not allocated.
  std::optional<BlockFacts> facts_of(Address address);

  void empty_cache();
  /// Raises `error` for a fraction outside [0, 1] (MEM-012). Leaves the device current where
  /// PyTorch does.
  void set_fraction(int device, double fraction);
  /// On top of what was set before; raises as `parse_options`.
  void configure(const std::string& options);
  /// Until the first use.
  AllocatorEnvironment& environment() { return environment_; }
  const AllocatorConfig& config();
  void add_observer(AllocatorSettings::Observer observer);
  void add_free_callback(AllocatorSettings::FreeCallback callback);

  /// Raises `internal` for a device that there is none of (MEM-020).
  DeviceAllocator& of_device(int device);
  DeviceStats stats(int device);
  void reset_peak(int device);
  DeviceBytes& bytes() { return *bytes_; }
  /// For work that may outlive this.
  std::shared_ptr<DeviceBytes> shared_bytes() { return bytes_; }
  StreamTag tag_of(const Stream& stream);

 private:
  struct Allocation {
    int device = 0;
    Block* block = nullptr;  ///< null for memory that is not cached
    std::uint64_t size = 0;
  };

  void use_environment();
  Address malloc_uncached(int device, std::uint64_t size);
  bool is_async() { return config().backend == AllocatorBackend::kAsync; }
  AsyncAllocator& async();
  void free_async(Address address);
  void give_back(Address address, const Allocation& allocation);
  std::optional<Allocation> find(Address address);
  std::optional<Allocation> take(Address address);

  Runtime& runtime_;
  std::mutex mutex_;  ///< of what follows, and never held while a device allocator works
  AllocatorEnvironment environment_;
  bool is_used_ = false;
  AllocatorSettings settings_;
  std::shared_ptr<DeviceBytes> bytes_ = std::make_shared<DeviceBytes>();
  std::vector<std::unique_ptr<DeviceAllocator>> devices_;
  std::unordered_map<Address, Allocation> allocated_;
  std::unique_ptr<AsyncAllocator> async_;
};

/// Made at first use, and kept until the next reset.
CachingAllocator& allocator_of(Runtime& runtime);

}  // namespace assay::reference
