// What the cases of streams, events and guards share: devices, logs, work behind gates.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/runtime.hpp"
#include "harness/suite/clients/sim.hpp"

namespace assay::suites {

using Texts = std::vector<std::string>;

/// Devices of types that no machine of ours has: backends are made for them.
inline Device hip(int index = -1) { return {"hip", index}; }
inline Device xpu(int index = -1) { return {"xpu", index}; }
/// Without an index: the current one.
inline Device cuda_any() { return {"cuda", -1}; }

bool is_old(const Session& subject);  ///< release 1.13
bool is_strict(const Session& subject);

void expect_list(const Texts& got, const Texts& wanted, Where where = Where::current());
void expect_at(const std::optional<Device>& got, const std::optional<Device>& wanted,
               Where where = Where::current());
void expect_value(const StreamValue& got, const Device& device, std::int64_t id,
                  Where where = Where::current());
void expect_same(const StreamValue& got, const StreamValue& wanted, Where where = Where::current());

/// Registers a logging backend and forgets what that has logged.
void add_logging(Session& subject, const std::string& type);
/// What backends were asked since the log was last looked at, without `prefix.`.
Texts backend_calls(Session& subject, const std::string& prefix = "hip");
/// Takes the log and compares it.
void expect_calls(Session& subject, const Texts& wanted, Where where = Where::current());
/// Makes this stream current on its device, as the state before a test.
StreamObject current_on(Session& subject, const Device& device, std::int64_t id);
std::int64_t current_id(Session& subject, const Device& device);

/// A call of the driver: its name, and what stands between the brackets.
struct DriverCall {
  std::string name;
  Texts arguments;
  bool failed = false;
};
std::vector<DriverCall> driver_calls(Session& subject);
/// Those of that name.
std::vector<DriverCall> calls_of(const std::vector<DriverCall>& calls, const std::string& name);
/// How many calls of that name, taking the log.
std::int64_t count_calls(Session& subject, const std::string& name);
/// Names of the calls in their order, those alone that are in `kept`.
Texts order_of(const std::vector<DriverCall>& calls, const Texts& kept);

/// One float32 element on that device, and what it holds once all its work is done.
Ref word_on(Session& subject, const Device& device, double value = 0);
void expect_word(Session& subject, const Ref& word, double wanted, Where where = Where::current());

/// A stream of that device's pool that has done something already, so that nothing has to be set up
/// once a gate is closed.
StreamObject pool_on(Session& subject, int device = 0);

}  // namespace assay::suites
