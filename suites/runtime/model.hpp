// A model of guards: the current device and streams of a thread, and the effects of entering,
// resetting and leaving guards; an independent implementation of GRD-001 to GRD-021.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/clients/runtime.hpp"

namespace assay::suites {

/// The current state of one thread; initially all 0.
class Currents {
 public:
  int device(const std::string& type) const;
  std::int64_t stream(const Device& device) const;
  void set_device(const Device& device) { devices_[device.type] = device.index; }
  /// Returns the previous device.
  int exchange_device(const Device& device);
  /// Returns the id of the previous stream.
  std::int64_t exchange_stream(const StreamValue& stream);
  bool operator==(const Currents&) const = default;

 private:
  std::map<std::string, int> devices_;
  std::map<std::pair<std::string, int>, std::int64_t> streams_;
};

/// A guard of any kind; unused parts are empty.
class GuardModel {
 public:
  /// A device guard; index -1 enters nothing but still restores (GRD-002).
  static GuardModel over(Currents& now, const Device& device);
  static GuardModel over(Currents& now, const StreamValue& stream);
  static GuardModel over(Currents& now, const std::vector<StreamValue>& streams, bool strict);
  /// An empty optional guard (GRD-011, GRD-018).
  static GuardModel empty() { return {}; }

  bool is_empty() const { return !device_ && saved_.empty(); }
  /// GRD-003, within one device type. Enters an empty guard.
  void set_device(Currents& now, const Device& device);
  /// GRD-005, possibly with another device type.
  void reset_device(Currents& now, const Device& device);
  void reset_stream(Currents& now, const StreamValue& stream);
  /// Restores the state and becomes empty.
  void leave(Currents& now);

  GuardInfo info() const;

 private:
  struct OfDevice {
    Device original;
    Device current;
  };
  struct OfStream {
    StreamValue original;       ///< on the original device (GRD-013)
    std::int64_t replaced = 0;  ///< on the current device
    StreamValue current;
  };

  std::optional<OfDevice> device_;
  std::optional<OfStream> stream_;
  std::vector<StreamValue> saved_;  ///< by a multi-stream guard, in order of restoration
};

}  // namespace assay::suites
