// Optional device guards.
#include "suites/runtime/guards/guards.hpp"

namespace assay::suites {

CASES("runtime/optional_device_guard") {
  conformance("an_empty_one_does_nothing", {"GRD-011"}, [](Session& subject) {
    start_at(subject, 0);
    const auto guard = subject.runtime().optional_device_guard();
    expect_devices(guard, std::nullopt, std::nullopt);
    subject.runtime().set_device(hip(2));
    guard.leave();
    expect_equal(device_now(subject), 2);
    expect_calls(subject, {"set(2)", "get"});
  });

  conformance("one_with_a_device_is_a_guard", {"GRD-011"}, [](Session& subject) {
    start_at(subject, 0);
    const auto guard = subject.runtime().optional_device_guard(hip(1));
    expect_devices(guard, hip(0), hip(1));
    guard.leave();
    expect_calls(subject, {"exch(1)", "uset(0)"});
  });

  conformance("it_begins_with_the_first_setting", {"GRD-011"}, [](Session& subject) {
    start_at(subject, 0);
    const auto guard = subject.runtime().optional_device_guard({}, "hip");
    subject.runtime().set_device(hip(2));
    subject.sim().log("backend");
    guard.set_device(hip(3));
    expect_devices(guard, hip(2), hip(3));
    guard.reset();
    expect_devices(guard, std::nullopt, std::nullopt);
    expect_calls(subject, {"exch(3)", "uset(2)"});
    expect_equal(device_now(subject), 2);
    guard.leave();
    expect_equal(device_now(subject), 2);
  });

  conformance("it_begins_with_the_first_reset_too", {"GRD-011"}, [](Session& subject) {
    start_at(subject, 0);
    const auto guard = subject.runtime().optional_device_guard();
    subject.runtime().set_device(hip(2));
    guard.reset_device(hip(3));
    expect_devices(guard, hip(2), hip(3));
    guard.set_device(hip(4));
    expect_devices(guard, hip(2), hip(4));
    guard.leave();
    expect_equal(device_now(subject), 2);
  });

  conformance("an_index_of_minus_1_begins_it_as_well", {"GRD-011"}, [](Session& subject) {
    start_at(subject, 2);
    const auto guard = subject.runtime().optional_device_guard({}, "hip");
    guard.set_index(-1);
    expect_devices(guard, hip(2), hip(2));
    expect_equal(device_now(subject), 2);
    subject.runtime().set_device(hip(5));
    guard.leave();
    expect_equal(device_now(subject), 2);
  });

  conformance("it_can_be_used_again_after_a_reset", {"GRD-011"}, [](Session& subject) {
    start_at(subject, 0);
    const auto guard = subject.runtime().optional_device_guard(hip(1));
    guard.reset();
    expect_equal(device_now(subject), 0);
    subject.runtime().set_device(hip(4));
    guard.reset_device(hip(5));
    expect_devices(guard, hip(4), hip(5));
    guard.leave();
    expect_equal(device_now(subject), 4);
  });

  on_cuda("it_guards_devices_of_cuda", {"GRD-011"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto guard = r.optional_device_guard();
    guard.reset_device(subject.device(1));
    expect_at(r.get_device(), subject.device(1));
    expect_devices(guard, subject.device(0), subject.device(1));
    guard.reset();
    expect_at(r.get_device(), subject.device(0));
    guard.leave();
  });
}

}  // namespace assay::suites
