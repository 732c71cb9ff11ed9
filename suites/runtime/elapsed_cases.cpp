// The time between two events: order of checks, and results.
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

constexpr std::int64_t kTimed = 0;
constexpr std::int64_t kUntimed = 2;

EventObject made(Session& subject, std::int64_t flag) {
  return subject.runtime().event({.flag = flag});
}

EventObject generic(Session& subject, bool timed, const std::string& type = "cuda") {
  return subject.runtime().event(
      {.api = "generic", .device = type, .flag = timed ? "backend_default" : "pytorch_default"});
}

/// Two timed events completed on one stream.
std::pair<EventObject, EventObject> recorded(Session& subject, const StreamObject& stream) {
  const std::pair both{made(subject, kTimed), made(subject, kTimed)};
  both.first.record(stream);
  subject.runtime().kernel({.stream = stream});
  both.second.record(stream);
  return both;
}

const Texts kTiming{"Both events must be created with argument 'enable_timing=True'"};
const Texts kRecorded{"Both events must be recorded before calculating elapsed time"};
const Texts kCompleted{"Both events must be completed before calculating elapsed time"};

}  // namespace

CASES("runtime/elapsed") {
  on_cuda("timing_is_asked_first", {"EVT-018"}, [](Session& subject) {
    for (const auto& [from, to] :
         {std::pair{kUntimed, kUntimed}, {kTimed, kUntimed}, {kUntimed, kTimed}}) {
      expect_error([&] { made(subject, from).elapsed(made(subject, to)); }, ErrorKind::kValue,
                   kTiming);
    }
  }).since(Release::k2_11);

  on_cuda("then_whether_both_are_recorded", {"EVT-018"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const auto one = made(subject, kTimed);
    const auto other = made(subject, kTimed);
    one.record(stream);
    expect_error([&] { one.elapsed(other); }, ErrorKind::kValue, kRecorded);
    expect_error([&] { other.elapsed(one); }, ErrorKind::kValue, kRecorded);
  }).since(Release::k2_11);

  on_cuda("then_whether_both_are_complete", {"EVT-018", "EVT-015"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto one = made(subject, kTimed);
    const auto other = made(subject, kTimed);
    one.record(stream);
    one.synchronize();
    const auto gate = subject.runtime().gate(stream);
    other.record(stream);
    expect_error([&] { one.elapsed(other); }, ErrorKind::kError, kCompleted);
    expect_error([&] { other.elapsed(one); }, ErrorKind::kError, kCompleted);
    expect_equal(gate.state(), "closed");
    gate.open();
    other.synchronize();
    expect_true(one.elapsed(other) >= 0, "the later event is not before the earlier one");
  }).since(Release::k2_11);

  on_cuda("a_generic_event_asks_the_type_first", {"EVT-018"}, [](Session& subject) {
    add_logging(subject, "hip");
    const auto cuda = generic(subject, false);
    const auto other = generic(subject, false, "hip");
    expect_error([&] { cuda.elapsed(other); }, ErrorKind::kError,
                 {"Event device type CUDA does not match other's device type HIP"});
  }).since(Release::k2_11);

  conformance("a_generic_event_asks_as_the_others_do", {"EVT-018"}, [](Session& subject) {
    add_logging(subject, "hip");
    const auto r = subject.runtime();
    const auto stream = r.stream(hip(0), 3);
    const auto timed = generic(subject, true, "hip");
    const auto untimed = generic(subject, false, "hip");
    expect_error([&] { timed.elapsed(untimed); }, ErrorKind::kValue, kTiming);
    expect_error([&] { untimed.elapsed(timed); }, ErrorKind::kValue, kTiming);
    expect_error([&] { timed.elapsed(generic(subject, true, "hip")); }, ErrorKind::kValue,
                 kRecorded);
    timed.record(stream);
    expect_error([&] { timed.elapsed(generic(subject, true, "hip")); }, ErrorKind::kValue,
                 kRecorded);
  }).since(Release::k2_11);

  on_cuda("a_generic_event_is_complete_last", {"EVT-018", "EVT-021"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto one = generic(subject, true);
    const auto other = generic(subject, true);
    one.record(stream);
    other.record(stream);
    one.synchronize();
    other.synchronize();
    expect_true(one.elapsed(other) >= 0, "both are complete");
    const auto gate = subject.runtime().gate(stream);
    other.record(stream);
    expect_error([&] { one.elapsed(other); }, ErrorKind::kError, kCompleted);
    gate.open();
    other.synchronize();
  }).since(Release::k2_11);

  conformance("2_4_asks_the_other_first", {"EVT-018"},
              [](Session& subject) {
                add_logging(subject, "hip");
                add_logging(subject, "xpu");
                const auto one = generic(subject, false, "hip");
                const auto other = generic(subject, false, "xpu");
                expect_error([&] { one.elapsed(other); }, ErrorKind::kError,
                             {"other was not marked for recording."});
                other.record(subject.runtime().stream(xpu(0), 3));
                expect_error([&] { one.elapsed(other); }, ErrorKind::kError,
                             {"self was not marked for recording."});
                one.record(subject.runtime().stream(hip(0), 3));
                expect_error([&] { one.elapsed(other); }, ErrorKind::kError,
                             {"Event device type HIP does not match other's device type XPU"});
              })
      .since(Release::k2_4)
      .until(Release::k2_4);

  on_cuda("earlier_releases_only_ask_whether_both_are_recorded", {"EVT-018"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const auto one = made(subject, kTimed);
    const auto other = made(subject, kTimed);
    one.record(stream);
    expect_error([&] { one.elapsed(other); }, ErrorKind::kError, kRecorded);
    expect_error([&] { other.elapsed(one); }, ErrorKind::kError, kRecorded);
  }).until(Release::k2_4);

  on_cuda("earlier_releases_leave_the_rest_to_the_driver", {"EVT-018"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto one = made(subject, kTimed);
    const auto other = made(subject, kTimed);
    one.record(stream);
    one.synchronize();
    const auto gate = subject.runtime().gate(stream);
    other.record(stream);
    expect_error([&] { one.elapsed(other); }, ErrorKind::kError, {"CUDA error"});
    gate.open();
    other.synchronize();
    const auto untimed = made(subject, kUntimed);
    untimed.record(stream);
    untimed.synchronize();
    expect_error([&] { one.elapsed(untimed); }, ErrorKind::kError, {"CUDA error"});
  }).until(Release::k2_4);

  on_cuda("it_is_not_negative_between_records_in_order", {"EVT-019"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto [first, second] = recorded(subject, stream);
    second.synchronize();
    expect_true(first.elapsed(second) >= 0, "the second came later");
    expect_true(first.elapsed(first) == 0, "an event is no time from itself");
  });

  on_cuda("it_counts_milliseconds", {"EVT-019"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto first = made(subject, kTimed);
    const auto second = made(subject, kTimed);
    first.record(stream);
    subject.runtime().kernel({.stream = stream, .ns = 2'500'000});
    second.record(stream);
    second.synchronize();
    expect_within(f64({first.elapsed(second)}), {2.5}, {0.01}, "only the kernel takes time");
    expect_within(f64({second.elapsed(first)}), {-2.5}, {0.01}, "backwards it is negative");
    expect_bits(first.elapsed(second), -second.elapsed(first));
  });

  on_cuda("a_generic_event_counts_the_same", {"EVT-019"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto first = generic(subject, true);
    const auto second = generic(subject, true);
    first.record(stream);
    subject.runtime().kernel({.stream = stream, .ns = 1'250'000});
    second.record(stream);
    second.synchronize();
    expect_within(f64({first.elapsed(second)}), {1.25}, {0.01}, "only the kernel takes time");
    expect_bits(first.elapsed(second), -second.elapsed(first));
  }).since(Release::k2_4);

  on_cuda("it_keeps_the_device", {"EVT-019"}, [](Session& subject) {
    const auto stream = pool_on(subject, 1);
    const auto [first, second] = recorded(subject, stream);
    second.synchronize();
    subject.sim().log();
    first.elapsed(second);
    expect_at(subject.runtime().get_device(), subject.device(0));
  });

  on_cuda("events_of_two_devices_have_no_time_between_them", {"EVT-020"}, [](Session& subject) {
    const auto here = made(subject, kTimed);
    const auto there = made(subject, kTimed);
    expect_error([&] { here.elapsed(there); },
                 std::vector<ErrorKind>{ErrorKind::kError, ErrorKind::kValue}, {"recorded"});
    here.record(pool_on(subject, 0));
    there.record(pool_on(subject, 1));
    here.synchronize();
    there.synchronize();
    expect_error([&] { here.elapsed(there); }, ErrorKind::kValue, {"0", "1", "device"});
    expect_error([&] { there.elapsed(here); }, ErrorKind::kValue, {"0", "1", "device"});
  }).only(Deviations::kStrict);

  on_cuda("the_driver_refuses_the_time_between_events_of_two_devices", {"EVT-020"},
          [](Session& subject) {
            const auto here = made(subject, kTimed);
            const auto there = made(subject, kTimed);
            here.record(pool_on(subject, 0));
            there.record(pool_on(subject, 1));
            here.synchronize();
            there.synchronize();
            expect_error([&] { here.elapsed(there); }, ErrorKind::kDevice);
            expect_error([&] { there.elapsed(here); }, ErrorKind::kDevice);
            const auto later = made(subject, kTimed);
            later.record(pool_on(subject, 0));
            later.synchronize();
            expect_true(here.elapsed(later) >= 0, "both are of one device");
          })
      .since(Release::k2_11)
      .only(Deviations::kCompat);

  on_cuda("it_is_of_the_newest_records", {"EVT-021"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto [first, second] = recorded(subject, stream);
    second.synchronize();
    expect_true(first.elapsed(second) >= 0, "both are complete");
    const auto gate = subject.runtime().gate(stream);
    first.record(stream);
    expect_error([&] { first.elapsed(second); }, ErrorKind::kError, {});
    gate.open();
    first.synchronize();
    expect_true(first.elapsed(second) <= 0, "the first event is recorded after the second");
  });

  on_cuda("a_new_record_moves_the_time", {"EVT-021", "EVT-019"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto first = made(subject, kTimed);
    const auto second = made(subject, kTimed);
    first.record(stream);
    subject.runtime().kernel({.stream = stream, .ns = 1'000'000});
    second.record(stream);
    subject.runtime().kernel({.stream = stream, .ns = 3'000'000});
    second.record(stream);
    second.synchronize();
    expect_within(f64({first.elapsed(second)}), {4.0}, {0.01}, "both kernels take time");
  });
}

}  // namespace assay::suites
