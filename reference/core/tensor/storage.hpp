// The memory behind tensors, shared by all views of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/core/types/device.hpp"

namespace assay::reference {

/// `bytes` is empty on meta, whatever `size_bytes` says.
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

/// How often something was written in place: one counter for a tensor, its views and what was
/// detached from it (CORE-13).
using VersionCounter = std::atomic<std::uint64_t>;

}  // namespace assay::reference
