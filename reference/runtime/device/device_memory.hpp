// The bytes of simulated devices and of pinned host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace assay::reference {

using Address = std::uint64_t;

/// Blocks have addresses that are never given twice. Their bytes exist from the first time that
/// somebody looks at them, and hold `kPoison` until they are written. What is freed is poisoned,
/// and goes away only with `sweep`: work that was submitted before may still write there.
class DeviceMemory {
 public:
  static constexpr std::byte kPoison{0xA5};
  static constexpr int kHost = -1;

  /// Of device `device`, or of the host.
  Address allocate(int device, std::uint64_t size_bytes);
  /// False when no block of that device, or of the host, begins there.
  bool free(int device, Address address);
  /// The device of the block that begins there.
  std::optional<int> device_of(Address address) const;
  /// Null where no live block is.
  std::byte* data(Address address);
  std::uint64_t used_bytes(int device) const;
  int blocks(bool of_host) const;
  /// Once nothing is pending.
  void sweep() { freed_.clear(); }

 private:
  struct Block {
    int device;
    std::uint64_t size_bytes;
    std::vector<std::byte> bytes = {};
  };

  std::map<Address, Block> blocks_;
  std::map<int, Address> next_;
  std::vector<std::vector<std::byte>> freed_;
};

}  // namespace assay::reference
