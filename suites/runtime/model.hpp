// A small model of guards: the current device and the current streams of one thread, and what
// entering, resetting and leaving a guard makes of them (GRD-001 to GRD-021), coded a second time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/clients/runtime.hpp"

namespace assay::suites {

/// What is current on one thread; everything is 0 at first.
class Currents {
 public:
  int device(const std::string& type) const;
  std::int64_t stream(const Device& device) const;
  void set_device(const Device& device) { devices_[device.type] = device.index; }
  /// Answers the device that was current.
  int exchange_device(const Device& device);
  /// Answers the id that was current.
  std::int64_t exchange_stream(const StreamValue& stream);
  bool operator==(const Currents&) const = default;

 private:
  std::map<std::string, int> devices_;
  std::map<std::pair<std::string, int>, std::int64_t> streams_;
};

/// A guard of any kind; what it has not, it does not use.
class GuardModel {
 public:
  /// Over a device; index -1 enters nothing and restores all the same (GRD-002).
  static GuardModel over(Currents& now, const Device& device);
  static GuardModel over(Currents& now, const StreamValue& stream);
  static GuardModel over(Currents& now, const std::vector<StreamValue>& streams, bool strict);
  /// An optional one that is empty (GRD-011, GRD-018).
  static GuardModel empty() { return {}; }

  bool is_empty() const { return !device_ && saved_.empty(); }
  /// GRD-003; of one type. On an empty guard it is the beginning.
  void set_device(Currents& now, const Device& device);
  /// GRD-005: another type takes over.
  void reset_device(Currents& now, const Device& device);
  void reset_stream(Currents& now, const StreamValue& stream);
  /// Restores, and is empty.
  void leave(Currents& now);

  GuardInfo info() const;

 private:
  struct OfDevice {
    Device original;
    Device current;
  };
  struct OfStream {
    StreamValue original;       ///< of the original device (GRD-013)
    std::int64_t replaced = 0;  ///< on the device of the current one
    StreamValue current;
  };

  std::optional<OfDevice> device_;
  std::optional<OfStream> stream_;
  std::vector<StreamValue> saved_;  ///< by a guard over several, in the order of restoring
};

}  // namespace assay::suites
