// Helpers for cases of the streams of a backward pass: functions that copy, and passes behind
// gates.
#pragma once

#include "harness/suite/clients/autograd.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites::backward {

/// A function that copies, forward and backward, which needs no kernel.
Ref copying(Session& subject, const std::function<void(Session&)>& in_backward = {});
/// The same, and backward records the event in the device's current stream.
Ref marking(Session& subject, const EventObject& event);
/// Gives the same gradient to both of its arguments.
Ref joining(Session& subject);

Ref leaf_on(Session& subject, const Device& device);
/// Applies the function in that stream, which stays current on its device.
Ref apply_in(Session& subject, const StreamObject& stream, const Ref& function,
             const std::vector<Value>& arguments);
/// Runs backward from `caller`'s stream. The gate precedes all work of the pass in `held`.
GateObject backward_behind(Session& subject, const StreamObject& held, const StreamObject& caller,
                           const Ref& output, const Value& gradient);
void expect_gradient(Session& subject, const Ref& leaf, double wanted,
                     Where where = Where::current());

}  // namespace assay::suites::backward
