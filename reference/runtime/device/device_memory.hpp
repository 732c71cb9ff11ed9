// Simulated device memory and pinned host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace assay::reference {

using Address = std::uint64_t;

/// Addresses are never reused. The bytes of a block are created at the first access and contain
/// `kPoison` until they are written. Freed blocks are poisoned but kept until `sweep`, because
/// earlier work may still write to them.
class DeviceMemory {
 public:
  static constexpr std::byte kPoison{0xA5};
  static constexpr int kHost = -1;

  /// Allocates on device `device` or on the host.
  Address allocate(int device, std::uint64_t size_bytes);
  /// Returns false if no block of that device (or the host) begins at the address.
  bool free(int device, Address address);
  /// The device of the block that begins at the address.
  std::optional<int> device_of(Address address) const;
  /// Null if the address is not in a live block.
  std::byte* data(Address address);
  std::uint64_t used_bytes(int device) const;
  int blocks(bool of_host) const;
  /// Discards freed blocks; no work may be pending.
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
