// Helpers for cases of streams, events and guards: devices, logs, work behind gates.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/runtime.hpp"
#include "harness/suite/clients/sim.hpp"

namespace assay::suites {

using Texts = std::vector<std::string>;

/// Device types without real hardware, for which backends are registered.
inline Device hip(int index = -1) { return {"hip", index}; }
inline Device xpu(int index = -1) { return {"xpu", index}; }
/// Without an index: the current device.
inline Device cuda_any() { return {"cuda", -1}; }

bool is_old(const Session& subject);  ///< release 1.13
bool is_strict(const Session& subject);

void expect_list(const Texts& got, const Texts& wanted, Where where = Where::current());
void expect_at(const std::optional<Device>& got, const std::optional<Device>& wanted,
               Where where = Where::current());
void expect_value(const StreamValue& got, const Device& device, std::int64_t id,
                  Where where = Where::current());
void expect_same(const StreamValue& got, const StreamValue& wanted, Where where = Where::current());

/// Registers a logging backend and clears its log.
void add_logging(Session& subject, const std::string& type);
/// The backend calls since the last query, without `prefix.`.
Texts backend_calls(Session& subject, const std::string& prefix = "hip");
/// Takes the log and compares it.
void expect_calls(Session& subject, const Texts& wanted, Where where = Where::current());
/// Makes this stream current on its device before a test.
StreamObject current_on(Session& subject, const Device& device, std::int64_t id);
std::int64_t current_id(Session& subject, const Device& device);

/// A driver call: its name, and its arguments as text.
struct DriverCall {
  std::string name;
  Texts arguments;
  bool failed = false;
};
std::vector<DriverCall> driver_calls(Session& subject);
/// The calls with this name.
std::vector<DriverCall> calls_of(const std::vector<DriverCall>& calls, const std::string& name);
/// The number of calls with this name; clears the log.
std::int64_t count_calls(Session& subject, const std::string& name);
/// The names of the calls in `kept`, in order.
Texts order_of(const std::vector<DriverCall>& calls, const Texts& kept);

/// A float32 tensor of one element on that device, after all work on it is complete.
Ref word_on(Session& subject, const Device& device, double value = 0);
void expect_word(Session& subject, const Ref& word, double wanted, Where where = Where::current());

/// A pool stream of that device that has been used before, so that no initialization happens behind
/// a closed gate.
StreamObject pool_on(Session& subject, int device = 0);

}  // namespace assay::suites
