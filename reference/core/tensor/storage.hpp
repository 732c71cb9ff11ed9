// The memory of tensors, shared by all views.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/core/types/device.hpp"

namespace assay::reference {

/// `bytes` is empty for meta tensors, whatever `size_bytes` is.
class Storage {
 public:
  Storage(Device device, std::size_t size_bytes, std::vector<std::uint8_t> bytes)
      : device_(device), size_bytes_(size_bytes), bytes_(std::move(bytes)) {}

  Device device() const { return device_; }
  std::size_t size_bytes() const { return size_bytes_; }
  std::uint8_t* data() { return bytes_.data(); }
  bool has_data() const { return !bytes_.empty(); }

 private:
  Device device_;
  std::size_t size_bytes_;
  std::vector<std::uint8_t> bytes_;
};

/// Counts in-place writes. A tensor shares its counter with its views and detached aliases
/// (CORE-13).
using VersionCounter = std::atomic<std::uint64_t>;

}  // namespace assay::reference
