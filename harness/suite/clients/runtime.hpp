// The typed client of the area runtime: streams, events and guards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/reported.hpp"
#include "harness/suite/session.hpp"

namespace assay {

/// An object made by this area, referred to by name. Converts to a value.
class RuntimeObject {
 public:
  RuntimeObject(Session& session, std::string name) : session_(&session), name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  operator Value() const { return Ref{name_}; }
  void drop() const { session_->drop(name_); }

 protected:
  Reply send(std::string verb, Fields with, std::string as = {}) const {
    return session_->send(std::move(verb), std::move(with), std::move(as));
  }
  Session& session() const { return *session_; }

 private:
  Session* session_;
  std::string name_;
};

/// The components of a stream's value.
struct StreamValue {
  std::optional<Device> device;
  std::int64_t id = 0;
  bool operator==(const StreamValue&) const = default;
};

struct StreamInfo {
  Device device;
  std::int64_t id = 0;
  std::string hash;  ///< 16 hexadecimal digits
  std::string text;
};

struct StreamHandleInfo {
  std::int64_t handle = 0;
  Reported<std::string> kind;
  Reported<std::optional<std::int64_t>> level;
  Reported<std::optional<std::int64_t>> index;
};

class StreamObject : public RuntimeObject {
 public:
  StreamObject(Session& session, std::string name, StreamValue value)
      : RuntimeObject(session, std::move(name)), value_(std::move(value)) {}

  const StreamValue& value() const { return value_; }
  std::int64_t id() const { return value_.id; }
  Device device() const { return value_.device.value_or(Device{}); }

  StreamInfo info() const;
  StreamHandleInfo handle() const;
  std::int64_t priority() const;
  bool query() const;
  void synchronize() const;
  void wait(const Value& event) const;

 private:
  StreamValue value_;
};

class GateObject : public RuntimeObject {
 public:
  using RuntimeObject::RuntimeObject;
  void open() const;
  /// `closed`, `open` or `expired`.
  std::string state() const;
  /// Throws Unsupported if the gate has timed out, because observations are then meaningless.
  void expect_not_expired() const;
};

struct EventInfo {
  Reported<bool> recorded;
  Reported<bool> created;
  std::optional<Device> device;
  std::int64_t id = 0;
  Reported<Value> flag;
};

class EventObject : public RuntimeObject {
 public:
  using RuntimeObject::RuntimeObject;
  void record(const std::optional<Value>& stream = {}) const;
  void record_once(const std::optional<Value>& stream = {}) const;
  void block(const std::optional<Value>& stream = {}) const;
  bool query() const;
  void synchronize() const;
  EventInfo info() const;
  /// The milliseconds from this event to the other.
  double elapsed(const Value& to) const;
  EventObject move() const;
  void assign_from(const Value& from) const;
  /// The bytes in hexadecimal.
  std::string ipc_handle() const;
};

struct GuardInfo {
  std::optional<Device> original_device;
  std::optional<Device> current_device;
  std::optional<StreamValue> original_stream;
  std::optional<StreamValue> current_stream;
};

class GuardObject : public RuntimeObject {
 public:
  using RuntimeObject::RuntimeObject;
  void leave() const;
  GuardInfo info() const;
  void set_device(const Device& device) const;
  void reset_device(const Device& device) const;
  void set_index(std::int64_t index) const;
  void reset_stream(const Value& stream) const;
  void reset() const;
};

struct PoolStreamOptions {
  std::optional<Device> device = {};
  std::optional<std::int64_t> priority = {};
  std::optional<bool> high = {};
  std::optional<bool> non_capturing = {};
};

struct RawStreamOptions {
  std::optional<Device> device = {};
  std::optional<bool> blocking = {};
  std::optional<std::int64_t> priority = {};
};

struct RawStream {
  StreamObject stream;
  std::int64_t handle = 0;
};

struct PythonStreamOptions {
  std::optional<Device> device = {};
  std::optional<std::int64_t> priority = {};
  std::optional<std::int64_t> stream_id = {};
  std::optional<std::int64_t> device_index = {};
  std::optional<std::int64_t> device_type = {};
  std::optional<std::int64_t> handle = {};
  std::optional<bool> generic = {};
};

/// A 64-bit word in 1.13, the three parts in later releases.
struct PackedStream {
  std::optional<std::string> word = {};
  std::optional<std::int64_t> id = {};
  std::optional<std::int64_t> device_index = {};
  std::optional<std::int64_t> device_type = {};
};

struct PriorityRange {
  std::int64_t least = 0;
  std::int64_t greatest = 0;
};

struct EventOptions {
  std::optional<std::string> api = {};
  std::optional<std::string> device = {};
  std::optional<Value> flag = {};
  std::optional<bool> timing = {};
  std::optional<bool> blocking = {};
  std::optional<bool> interprocess = {};
  std::optional<bool> external = {};
};

struct WorkOptions {
  std::optional<Value> stream = {};
  std::optional<std::string> name = {};
  std::optional<std::int64_t> ns = {};
  std::optional<std::int64_t> fails = {};
};

struct LaunchOptions {
  std::optional<Value> stream = {};
  std::optional<std::vector<std::int64_t>> grid = {};
  std::optional<std::vector<std::int64_t>> block = {};
  std::optional<std::int64_t> shared = {};
  std::optional<std::int64_t> registers = {};
  std::optional<std::int64_t> n = {};
};

struct DeviceGuardOptions {
  std::optional<bool> index = {};
  std::optional<bool> is_virtual = {};
  std::optional<std::string> of = {};
};

struct CheckedCall {
  std::string call;
  std::optional<List> arguments = {};
  std::optional<std::string> how = {};
};

class RuntimeClient {
 public:
  explicit RuntimeClient(Session& session) : session_(&session) {}

  std::int64_t device_count(const std::optional<std::string>& type = {},
                            std::optional<bool> ensure = {}) const;
  Device get_device(const std::string& type = "cuda") const;
  Device exchange_device(const Device& device) const;
  void set_device(const Device& device, std::optional<bool> unchecked = {}) const;
  void synchronize_device(const std::optional<Device>& device = {}) const;
  void sync_debug_mode(const std::string& mode) const;

  StreamObject stream(const Device& device, std::int64_t id) const;
  StreamObject default_stream(const std::optional<Device>& device = {}) const;
  StreamObject current_stream(const std::optional<Device>& device = {}) const;
  void set_current_stream(const Value& stream) const;
  StreamObject exchange_stream(const Value& stream) const;
  StreamObject pool_stream(const PoolStreamOptions& options = {}) const;
  StreamObject new_stream(const Device& device, std::optional<std::int64_t> priority = {}) const;
  RawStream raw_stream(const RawStreamOptions& options = {}) const;
  void destroy_raw_stream(const Value& stream) const;
  StreamObject external_stream(std::int64_t handle, const Device& device) const;
  StreamObject wrap(const Value& stream, std::optional<bool> unchecked = {}) const;
  PriorityRange priority_range() const;
  PackedStream pack(const Value& stream) const;
  StreamObject unpack(const PackedStream& packed) const;
  bool equal(const Value& a, const Value& b) const;

  void kernel(const WorkOptions& work = {}) const;
  void store(const Value& tensor, const Value& value,
             const std::optional<Value>& stream = {}) const;
  Ref load(const Value& tensor, const std::optional<Value>& stream = {}) const;
  std::int64_t launch(const LaunchOptions& options) const;
  void launch_check() const;
  GateObject gate(const Value& stream, std::optional<std::int64_t> timeout_ms = {}) const;

  void capture_begin(const Value& stream, const std::optional<std::string>& mode = {}) const;
  void capture_end(const Value& stream) const;
  std::string capture_status(const Value& stream) const;

  EventObject event(const EventOptions& options = {}) const;
  std::int64_t distinct_events(const std::vector<Value>& events) const;
  EventObject event_from_ipc(const Device& device, const std::string& handle) const;

  StreamObject python_stream(const PythonStreamOptions& options = {}) const;
  void python_set_stream(const Value& stream) const;
  EventObject record_event(const Value& stream, const std::optional<Value>& event = {}) const;
  void wait_event(const Value& stream, const Value& event) const;
  void wait_stream(const Value& stream, const Value& other) const;
  GuardObject stream_context(const Value& stream) const;
  /// `device` is a device or an index.
  GuardObject device_context(const Value& device) const;
  GuardObject reenter(const Value& context) const;
  GuardObject device_of(const Value& tensor) const;

  GuardObject device_guard(const Device& device, const DeviceGuardOptions& options = {}) const;
  GuardObject optional_device_guard(const std::optional<Device>& device = {},
                                    const std::optional<std::string>& of = {}) const;
  GuardObject stream_guard(const Value& stream) const;
  GuardObject optional_stream_guard(const std::optional<Value>& stream = {}) const;
  GuardObject multi_stream_guard(const std::vector<Value>& streams) const;

  void backend(const std::string& type, const std::optional<std::string>& kind = {},
               std::optional<std::int64_t> devices = {}) const;
  bool has_backend(const std::string& type) const;

  std::int64_t last_error() const;
  std::int64_t peek_last_error() const;
  std::int64_t checked(const CheckedCall& call) const;

 private:
  StreamObject make_stream(std::string verb, Fields with = {}) const;
  template <typename T>
  T make(const std::string& prefix, std::string verb, Fields with = {}) const {
    std::string name = session_->fresh_name(prefix);
    session_->send(std::move(verb), std::move(with), name);
    return T(*session_, std::move(name));
  }

  Session* session_;
};

/// Reads the stream in a reply, including one made by a block.
StreamValue stream_from(const Reply& reply);
EventInfo event_info_from(const Reply& reply);
GuardInfo guard_info_from(const Reply& reply);

}  // namespace assay
