// The content of simulated memory: pages exist once they are written; other bytes read as poison.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// Covers all devices and pinned host memory,
/// whose addresses are disjoint. Thread-safe.
class DeviceBytes {
 public:
  static constexpr std::uint8_t kPoison = 0xdb;

  std::vector<std::uint8_t> read(Address address, std::uint64_t count) const;
  void fill(Address address, std::uint64_t count, std::uint8_t byte);
  /// Makes a use after free visible.
  void poison(Address address, std::uint64_t count);

 private:
  static constexpr std::uint64_t kPage = 4096;
  using Page = std::array<std::uint8_t, kPage>;

  Page& page(std::uint64_t number);

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Page> pages_;
};

}  // namespace assay::reference
