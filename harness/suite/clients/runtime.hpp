// The typed client of the area runtime: streams, events and guards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <waist/calls/runtime.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

/// The components of a stream's value.
struct StreamValue {
  std::optional<Device> device;
  std::int64_t id = 0;
  bool operator==(const StreamValue&) const = default;
};

struct StreamHandleInfo {
  std::int64_t handle = 0;
  Reported<std::string> kind;
  Reported<std::optional<std::int64_t>> level;
  Reported<std::optional<std::int64_t>> index;
  static StreamHandleInfo from(const Reply& reply);
};

/// Reads the stream in a reply, including one made by a block.
StreamValue stream_from(const Reply& reply);

class StreamObject : public StreamObjectCalls {
 public:
  StreamObject(Session& session, std::string name, const Reply& reply)
      : StreamObjectCalls(session, std::move(name)),
        value_(session.recording() ? StreamValue() : stream_from(reply)) {}

  const StreamValue& value() const { return value_; }
  std::int64_t id() const { return value_.id; }
  Device device() const { return value_.device.value_or(Device{}); }

 private:
  StreamValue value_;
};

class GateObject : public GateObjectCalls {
 public:
  using GateObjectCalls::GateObjectCalls;
  /// Throws Unsupported if the gate has timed out, because observations are then meaningless.
  void expect_not_expired() const;
};

struct EventInfo {
  Reported<bool> recorded;
  Reported<bool> created;
  std::optional<Device> device;
  std::int64_t id = 0;
  Reported<Value> flag;
  static EventInfo from(const Reply& reply);
};

class EventObject : public EventObjectCalls {
 public:
  using EventObjectCalls::EventObjectCalls;
};

struct GuardInfo {
  std::optional<Device> original_device;
  std::optional<Device> current_device;
  std::optional<StreamValue> original_stream;
  std::optional<StreamValue> current_stream;
  static GuardInfo from(const Reply& reply);
};

class GuardObject : public GuardObjectCalls {
 public:
  using GuardObjectCalls::GuardObjectCalls;
  void leave() const;
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

class RuntimeClient : public RuntimeClientCalls {
 public:
  using RuntimeClientCalls::RuntimeClientCalls;
  Device get_device(const std::string& type = "cuda") const;
  RawStream raw_stream(const RawStreamOptions& options = {}) const;
  StreamObject unpack(const PackedStream& packed) const;
};

}  // namespace assay
