// The typed client of the area memory: the caching allocator and pinned host memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

struct BlockInfo {
  std::int64_t address = 0;
  std::int64_t size_bytes = 0;  ///< the whole block
  std::int64_t requested_bytes = 0;
  std::int64_t segment = 0;  ///< the address of its segment
  std::int64_t offset = 0;   ///< within the segment
};

/// A range of bytes in a block; absent members have the subject's default.
struct FillArguments {
  std::optional<std::int64_t> offset = {};
  std::optional<std::int64_t> count = {};
  std::optional<Value> stream = {};
};

/// A block of device memory or pinned host memory, referred to by name. Dropping the name does not
/// free it. Converts to a value.
class MemoryBlock {
 public:
  MemoryBlock(Session& session, std::string name, bool is_null)
      : session_(&session), name_(std::move(name)), is_null_(is_null) {}

  const std::string& name() const { return name_; }
  operator Value() const { return Ref{name_}; }
  bool is_null() const { return is_null_; }

  BlockInfo info() const;
  void free() const;
  void record_stream(const Value& stream) const;
  /// For pinned memory: true if it is the subject's. `foreign` queries an address that is not.
  bool pinned_record(const Value& stream, bool foreign = false) const;
  /// The bytes in hexadecimal; waits for the device.
  std::string read(std::int64_t offset = 0, std::optional<std::int64_t> count = {}) const;
  /// Enqueues a kernel that fills the block.
  void write(int byte, const FillArguments& where = {}) const;

 private:
  Session* session_;
  std::string name_;
  bool is_null_;
};

/// Absent members are not sent; the defaults are the current stream and device.
struct AllocateArguments {
  std::optional<Value> stream = {};
  std::optional<Device> device = {};
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
  const Value* find(std::string_view key) const;
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

class MemoryClient {
 public:
  explicit MemoryClient(Session& session) : session_(&session) {}

  MemoryBlock allocate(std::int64_t size_bytes, const AllocateArguments& arguments = {}) const;
  void free_address(std::int64_t address) const;
  void record_tensor_stream(const Value& tensor, const Value& stream) const;
  void empty_cache() const;
  void set_fraction(const Value& fraction, const std::optional<Device>& device = {}) const;
  MemoryStats stats(const std::optional<Device>& device = {}) const;
  void reset_peak(const std::optional<Device>& device = {}) const;
  void reset_accumulated(const std::optional<Device>& device = {}) const;
  std::vector<SegmentInfo> segments(const std::optional<Device>& device = {}) const;
  /// `source` is `call`, `alloc_conf` or `cuda_alloc_conf`.
  void configure(const std::string& options, const std::optional<std::string>& source = {}) const;
  void set_uncached(bool value) const;
  void set_backend(const std::string& name) const;
  void set_observer(const Callable& function) const;
  void set_free_callback(const Callable& function) const;
  std::string size_text(std::int64_t bytes) const;
  std::int64_t round(std::int64_t size_bytes) const;
  /// A private pool for the stream's allocations during capture.
  Ref capture_pool(const Value& stream) const;
  void release_pool(const Ref& pool) const;

  MemoryBlock pin(std::int64_t size_bytes) const;
  /// Gives the result a new name.
  Ref pin_memory(const Value& tensor) const;
  bool is_pinned(const Value& tensor) const;

 private:
  MemoryBlock make(std::string verb, Fields with) const;

  Session* session_;
};

}  // namespace assay
