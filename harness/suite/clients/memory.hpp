// The typed client of the area memory: the caching allocator and pinned host memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <waist/calls/memory.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

struct BlockInfo {
  std::int64_t address = 0;
  std::int64_t size_bytes = 0;  ///< the whole block
  std::int64_t requested_bytes = 0;
  std::int64_t segment = 0;  ///< the address of its segment
  std::int64_t offset = 0;   ///< within the segment
  static BlockInfo from(const Reply& reply);
};

/// Bytes of a device, as its runtime says.
struct MemoryInfo {
  std::int64_t free_bytes = 0;
  std::int64_t total_bytes = 0;
  static MemoryInfo from(const Reply& reply);
};

/// A block of device memory or pinned host memory. Dropping the name does not free it.
class MemoryBlock : public MemoryBlockCalls {
 public:
  MemoryBlock(Session& session, std::string name, const Reply& reply)
      : MemoryBlockCalls(session, std::move(name)),
        is_null_(!session.recording() && field_to<bool>(reply, "null")) {}

  bool is_null() const { return is_null_; }
  /// The bytes in hexadecimal; waits for the device.
  std::string read(std::int64_t offset = 0, std::optional<std::int64_t> count = {}) const;

 private:
  bool is_null_;
};

/// The counters of a device by name: `allocated_bytes.all.current`, `num_ooms`.
class MemoryStats {
 public:
  MemoryStats() = default;
  explicit MemoryStats(Dict counters) : counters_(std::move(counters)) {}
  bool has(std::string_view key) const;
  /// Throws BadReply if there is no such counter.
  std::int64_t operator[](std::string_view key) const;

 private:
  Dict counters_;
};

struct SegmentInfo {
  struct Part {
    std::int64_t offset = 0;
    std::int64_t size_bytes = 0;
    std::string state;  ///< `allocated`, `pending`, `free`
    bool operator==(const Part&) const = default;
  };
  std::int64_t address = 0;
  std::int64_t size_bytes = 0;
  std::int64_t stream = 0;  ///< the stream's id
  std::string pool;         ///< `small`, `large`
  std::vector<Part> blocks;
};

class MemoryClient : public MemoryClientCalls {
 public:
  using MemoryClientCalls::MemoryClientCalls;
  MemoryStats stats(const std::optional<Device>& device = {}) const;
  std::vector<SegmentInfo> segments(const std::optional<Device>& device = {}) const;
};

}  // namespace assay
