// Moving and comparing events.
#include "suites/runtime/events.hpp"

namespace assay::suites {
namespace {

/// A generic hip event recorded on device 1, with the log cleared.
EventObject recorded_on_hip(Session& subject) {
  add_logging(subject, "hip");
  const auto event = timed_generic(subject);
  event.record(subject.runtime().stream(hip(1), 5));
  subject.sim().log("backend");
  return event;
}

/// An external event that was recorded, moved by assignment, and recorded in a capture.
EventObject moved_external(Session& subject, const StreamObject& stream) {
  const auto r = subject.runtime();
  auto target = r.event();
  const auto source = r.event({.flag = 8 | 2});
  source.record(stream);
  source.synchronize();
  target.assign_from(source);
  r.set_current_stream(stream);
  r.capture_begin(stream, "relaxed");
  target.record(stream);
  return target;
}

}  // namespace

CASES("runtime/event_move") {
  conformance("what_is_moved_to_has_everything", {"EVT-023"}, [](Session& subject) {
    const auto event = recorded_on_hip(subject);
    const auto before = event.info();
    const auto target = event.move();
    const auto info = target.info();
    expect_true(info.recorded, "it is recorded");
    expect_at(info.device, hip(1));
    expect_equal(info.id, before.id);
    expect_equal(info.flag, "backend_default");
    target.block(subject.runtime().stream(hip(2), 7));
    expect_calls(subject, {"block(2:7)"});
  });

  conformance("there_is_one_destruction_in_all", {"EVT-023", "EVT-022"}, [](Session& subject) {
    const auto event = recorded_on_hip(subject);
    const auto target = event.move();
    expect_calls(subject, {});
    event.drop();
    expect_calls(subject, {});
    target.drop();
    expect_calls(subject, {"destroy(index 1)"});
  });

  conformance("what_was_moved_from_is_empty", {"EVT-023"}, [](Session& subject) {
    const auto event = recorded_on_hip(subject);
    event.move();
    expect_nothing_recorded(event, hip());
    expect_equal(event.info().flag, "backend_default");
    event.block(subject.runtime().stream(hip(2), 7));
    event.record(subject.runtime().stream(hip(0), 3));
    expect_at(event.info().device, hip(0));
    expect_calls(subject, {"record(null,0:3,index -1)"});
  }).only(Deviations::kStrict);

  conformance("what_was_moved_from_is_empty_in_1_13", {"EVT-023"}, [](Session& subject) {
    const auto event = recorded_on_hip(subject);
    const auto target = event.move();
    expect_nothing_recorded(event, hip());
    expect_equal(event.info().flag, "backend_default");
    target.drop();
    event.drop();
    expect_calls(subject, {"destroy(index 1)"});
  }).until(Release::k1_13);

  conformance("what_was_moved_from_looks_recorded_in_2_x", {"EVT-023"},
              [](Session& subject) {
                const auto event = recorded_on_hip(subject);
                event.move();
                const auto info = event.info();
                expect_true(info.recorded, "it says that it is recorded");
                expect_at(info.device, hip(1));
                expect_equal(info.id, 0);
                expect_equal(info.flag, "backend_default");
              })
      .since(Release::k2_4)
      .only(Deviations::kCompat);

  on_cuda("what_was_moved_from_stays_on_its_device_in_2_x", {"EVT-023"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto event = timed_generic(subject, "cuda");
            event.record(r.pool_stream({.device = subject.device(1)}));
            event.move();
            const auto other = r.pool_stream({.device = subject.device(0)});
            subject.sim().log();
            expect_true(event.query(), "there is nothing to wait for");
            event.block(other);
            event.synchronize();
            expect_error([&] { event.record(other); }, ErrorKind::kError, {"Event device index"});
            expect_list(
                order_of(driver_calls(subject), {"event_create", "event_record", "event_query",
                                                 "event_sync", "stream_wait"}),
                {});
          })
      .since(Release::k2_4)
      .only(Deviations::kCompat);

  on_cuda("an_event_of_cuda_loses_its_flags", {"EVT-023"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto event = r.event({.flag = 0});
    event.record(r.pool_stream({.device = subject.device(1)}));
    const auto before = event.info();
    const auto target = event.move();
    expect_equal(event.info().flag, 2);
    expect_false(event.info().created, "it is not created");
    expect_nothing_recorded(event, std::nullopt);
    expect_equal(target.info().flag, 0);
    expect_equal(target.info().id, before.id);
    expect_at(target.info().device, subject.device(1));
    expect_true(target.info().recorded, "it is recorded");
    target.synchronize();
  });

  conformance("assignment_swaps_everything", {"EVT-024"}, [](Session& subject) {
    const auto event = recorded_on_hip(subject);
    const auto before = event.info();
    const auto other =
        subject.runtime().event({.api = "generic", .device = "hip", .flag = "pytorch_default"});
    other.record(subject.runtime().stream(hip(2), 6));
    const auto others = other.info();
    subject.sim().log("backend");

    other.assign_from(event);

    expect_at(other.info().device, hip(1));
    expect_equal(other.info().id, before.id);
    expect_equal(other.info().flag, "backend_default");
    expect_true(other.info().recorded, "it is recorded");
    expect_at(event.info().device, hip(2));
    expect_equal(event.info().id, others.id);
    expect_equal(event.info().flag, "pytorch_default");
    expect_calls(subject, {});
    event.drop();
    expect_calls(subject, {"destroy(index 2)"});
    other.drop();
    expect_calls(subject, {"destroy(index 1)"});
  });

  conformance("assignment_swaps_whether_it_is_recorded", {"EVT-024"}, [](Session& subject) {
    const auto event = recorded_on_hip(subject);
    const auto other = timed_generic(subject);
    other.assign_from(event);
    expect_true(other.info().recorded, "it is recorded");
    expect_at(other.info().device, hip(1));
    expect_false(event.info().recorded, "it is not recorded");
    expect_at(event.info().device, hip());
    expect_true(event.query(), "it is empty");
    event.block(subject.runtime().stream(hip(2), 7));
    expect_calls(subject, {});
    other.block(subject.runtime().stream(hip(2), 7));
    expect_calls(subject, {"block(2:7)"});
  });

  on_cuda("an_assigned_event_has_the_other_s_device", {"EVT-024", "EVT-013"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto a = r.event();
    const auto b = r.event({.flag = 0});
    a.record(r.pool_stream({.device = subject.device(0)}));
    b.record(r.pool_stream({.device = subject.device(1)}));
    a.assign_from(b);
    expect_at(a.info().device, subject.device(1));
    expect_at(b.info().device, subject.device(0));
    expect_equal(a.info().flag, 0);
    expect_equal(b.info().flag, 2);
    expect_true(a.info().recorded, "it is recorded");
    const auto stream = r.pool_stream({.device = subject.device(0)});
    a.block(stream);
    stream.synchronize();
  });

  on_cuda("an_assigned_event_is_whole", {"EVT-024"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto a = r.event();
    const auto b = r.event({.flag = 1});
    b.record(r.pool_stream());
    const auto before = b.info();
    a.assign_from(b);
    expect_equal(a.info().id, before.id);
    expect_equal(a.info().flag, 1);
    expect_true(a.info().created, "it is created");
    expect_nothing_recorded(b, std::nullopt);
    expect_equal(b.info().flag, 2);
  });

  on_cuda("assigning_an_event_to_itself_does_nothing", {"EVT-024"}, [](Session& subject) {
    const auto event = subject.runtime().event({.flag = 0});
    event.record(subject.runtime().pool_stream());
    const auto before = event.info();
    event.assign_from(event);
    expect_equal(event.info().id, before.id);
    expect_equal(event.info().flag, 0);
    event.synchronize();
  });

  on_cuda("an_external_event_stays_external", {"EVT-024"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream();
            const auto event = moved_external(subject, stream);
            expect_true(event.query(), "the host may ask an external event");
            expect_equal(r.capture_status(stream), "active");
          })
      .since(Release::k2_11)
      .only(Deviations::kStrict);

  on_cuda("an_external_event_forgets_that_it_is", {"EVT-024"},
          [](Session& subject) {
            const auto stream = subject.runtime().pool_stream();
            const auto event = moved_external(subject, stream);
            expect_error([&] { event.query(); }, ErrorKind::kDevice);
          })
      .since(Release::k2_11)
      .only(Deviations::kCompat);

  on_cuda("an_ordered_set_keeps_one_empty_event", {"EVT-026"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto a = r.event();
    const auto b = r.event();
    const auto c = r.event();
    expect_equal(r.distinct_events({a, b, c}), 1);
    a.record(r.pool_stream());
    expect_equal(r.distinct_events({a, b, c}), 2);
    b.record(r.pool_stream());
    expect_equal(r.distinct_events({a, b, c}), 3);
    expect_equal(r.distinct_events({a, a}), 1);
  });
}

}  // namespace assay::suites
