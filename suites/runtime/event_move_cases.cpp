// Events that are moved, compared, destroyed, or fail to be recorded.
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

EventObject generic(Session& subject, const std::string& type = "hip") {
  return subject.runtime().event({.api = "generic", .device = type, .flag = "backend_default"});
}

/// A generic event of hip that was recorded on device 1, with the log taken.
EventObject recorded_on_hip(Session& subject) {
  add_logging(subject, "hip");
  const auto event = generic(subject);
  event.record(subject.runtime().stream(hip(1), 5));
  subject.sim().log("backend");
  return event;
}

void expect_empty(const EventObject& event, const std::optional<Device>& device,
                  Where where = Where::current()) {
  const EventInfo info = event.info();
  expect_false(info.recorded, "it is recorded", where);
  expect_at(info.device, device, where);
  expect_equal(info.id, 0, where);
  expect_true(event.query(), "there is nothing to wait for", where);
}

/// An event is dropped, and the driver refuses to destroy it.
void end_with_failure(Session& subject) {
  const auto event = subject.runtime().event();
  event.record(subject.runtime().pool_stream());
  event.synchronize();
  subject.sim().faults({{.call = "event_destroy", .code = 400}});
  event.drop();
}

void expect_after_failure(Session& subject) {
  expect_equal(subject.runtime().peek_last_error(), 0);
  expect_at(subject.runtime().get_device(), subject.device(0));
}

/// An external event that was recorded, then moved by assignment, then recorded in a capture.
EventObject moved_external(Session& subject, const StreamObject& stream) {
  const auto r = subject.runtime();
  auto target = r.event();
  const auto source = r.event({.flag = 8 | 2});
  source.record(stream);
  source.synchronize();
  target.assign_from(source);
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
    expect_empty(event, hip());
    expect_equal(event.info().flag, "backend_default");
    event.block(subject.runtime().stream(hip(2), 7));
    event.record(subject.runtime().stream(hip(0), 3));
    expect_at(event.info().device, hip(0));
    expect_calls(subject, {"record(null,0:3,index -1)"});
  }).only(Deviations::kStrict);

  conformance("what_was_moved_from_is_empty_in_1_13", {"EVT-023"}, [](Session& subject) {
    const auto event = recorded_on_hip(subject);
    const auto target = event.move();
    expect_empty(event, hip());
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
            const auto event = generic(subject, "cuda");
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
    expect_false(event.info().created, "it is created");
    expect_empty(event, std::nullopt);
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
    const auto other = generic(subject);
    other.assign_from(event);
    expect_true(other.info().recorded, "it is recorded");
    expect_at(other.info().device, hip(1));
    expect_false(event.info().recorded, "it is recorded");
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
    expect_empty(b, std::nullopt);
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

CASES("runtime/event_end") {
  conformance("an_empty_event_ends_without_a_call", {"EVT-022"}, [](Session& subject) {
    add_logging(subject, "hip");
    generic(subject).drop();
    expect_calls(subject, {});
  });

  on_cuda("each_event_is_destroyed_once", {"EVT-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream({.device = subject.device(1)});
    const auto live = subject.sim().live().events;
    const auto event = r.event();
    event.record(stream);
    event.record(stream);
    expect_equal(subject.sim().live().events, live + 1);
    subject.sim().log();
    event.drop();
    expect_equal(subject.sim().live().events, live);
    expect_equal(count_calls(subject, "event_destroy"), 1);
    expect_at(r.get_device(), subject.device(0));
    r.event().drop();
    expect_equal(count_calls(subject, "event_destroy"), 0);
  });

  on_cuda("destroying_makes_no_context", {"EVT-022"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto event = r.event();
            event.record(r.pool_stream({.device = subject.device(1)}));
            subject.sim().run();
            event.drop();
            expect_equal(subject.sim().contexts(), {1});
            expect_at(r.get_device(), subject.device(0));
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("what_waits_for_it_waits_on", {"EVT-022"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = pool_on(subject);
    const auto second = pool_on(subject);
    const auto event = r.event();
    const auto gate = r.gate(first);
    event.record(first);
    event.block(second);
    r.kernel({.stream = second});
    event.drop();
    expect_false(second.query(), "it waits still");
    expect_equal(gate.state(), "closed");
    gate.open();
    second.synchronize();
    expect_true(first.query(), "the first is done");
  });

  on_cuda("a_failure_at_the_end_is_a_warning", {"EVT-022"}, [](Session& subject) {
    end_with_failure(subject);
    expect_warning(subject.warnings(), "UserWarning", {"CUDA warning", "invalid resource handle"});
    expect_after_failure(subject);
  }).only(Deviations::kStrict);

  on_cuda("a_failure_at_the_end_is_a_warning_since_2_11", {"EVT-022"},
          [](Session& subject) {
            end_with_failure(subject);
            expect_warning(subject.warnings(), "UserWarning",
                           {"CUDA warning", "invalid resource handle"});
            expect_after_failure(subject);
          })
      .since(Release::k2_11)
      .only(Deviations::kCompat);

  on_cuda("earlier_releases_end_in_silence", {"EVT-022"},
          [](Session& subject) {
            end_with_failure(subject);
            expect_true(subject.warnings().empty(), "nobody is told");
            expect_at(subject.runtime().get_device(), subject.device(0));
          })
      .until(Release::k2_4)
      .only(Deviations::kCompat);
}

CASES("runtime/event_failure") {
  on_cuda("a_first_record_that_fails_leaves_it_empty", {"EVT-025"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream({.device = subject.device(1)});
            for (const char* call : {"event_create", "event_record"}) {
              const At row(call);
              const auto live = subject.sim().live().events;
              const auto event = generic(subject, "cuda");
              subject.sim().faults({{.call = call, .code = 400}});
              expect_error([&] { event.record(stream); }, ErrorKind::kDevice);
              expect_empty(event, cuda_any());
              expect_equal(subject.sim().live().events, live);
              expect_at(r.get_device(), subject.device(0));
              expect_equal(r.peek_last_error(), 0);
              event.record(stream);
              expect_at(event.info().device, subject.device(1));
              event.synchronize();
              event.drop();
            }
          })
      .since(Release::k2_4)
      .only(Deviations::kStrict);

  on_cuda("a_generic_event_leaks_and_leaves_the_device", {"EVT-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream({.device = subject.device(1)});
    const auto live = subject.sim().live().events;
    const auto event = generic(subject, "cuda");
    subject.sim().faults({{.call = "event_record", .code = 400}});
    expect_error([&] { event.record(stream); }, ErrorKind::kError);
    expect_at(r.get_device(), subject.device(1));
    expect_empty(event, cuda_any());
    expect_equal(subject.sim().live().events, live + 1);
    r.set_device(subject.device(0));
  }).only(Deviations::kCompat);

  on_cuda("an_event_of_cuda_is_created_then_and_the_device_kept", {"EVT-025", "EVT-017"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream({.device = subject.device(1)});
            const auto event = r.event();
            subject.sim().faults({{.call = "event_record", .code = 400}});
            expect_error([&] { event.record(stream); }, ErrorKind::kError);
            expect_at(r.get_device(), subject.device(0));
            expect_false(event.info().recorded, "it is recorded");
            expect_true(event.query(), "there is nothing to wait for");
          });

  on_cuda("a_first_record_that_fails_leaves_no_event_of_cuda", {"EVT-025"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream();
            const auto live = subject.sim().live().events;
            const auto event = r.event();
            subject.sim().faults({{.call = "event_record", .code = 400}});
            expect_error([&] { event.record(stream); }, ErrorKind::kDevice);
            expect_false(event.info().created, "it is created");
            expect_empty(event, std::nullopt);
            expect_equal(subject.sim().live().events, live);
          })
      .since(Release::k2_11)
      .only(Deviations::kStrict);

  on_cuda("a_later_record_that_fails_keeps_the_version", {"EVT-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = pool_on(subject);
    const auto event = r.event();
    event.record(stream);
    event.synchronize();
    const auto before = event.info();
    const auto gate = r.gate(stream);
    subject.sim().faults({{.call = "event_record", .code = 400}});
    expect_error([&] { event.record(stream); }, ErrorKind::kError);
    expect_true(event.info().recorded, "it is recorded");
    expect_equal(event.info().id, before.id);
    expect_true(event.query(), "the old version is done");
    gate.open();
    stream.synchronize();
  });

  on_cuda("a_failed_wait_puts_the_device_back", {"EVT-013", "EVT-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream({.device = subject.device(1)});
    const auto event = r.event();
    event.record(r.pool_stream());
    subject.sim().faults({{.call = "stream_wait", .code = 400}});
    expect_error([&] { event.block(stream); }, ErrorKind::kError);
    expect_at(r.get_device(), subject.device(0));
    event.block(stream);
    stream.synchronize();
  });

  on_cuda("created_and_not_recorded", {"EVT-017", "EVT-001"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream();
    const auto event = r.event({.flag = 6});
    event.ipc_handle();
    expect_true(event.info().created, "it is created");
    expect_false(event.info().recorded, "it is recorded");
    expect_true(event.query(), "there is nothing to wait for");
    event.block(stream);
    event.synchronize();
    r.kernel({.stream = stream});
    stream.synchronize();
    expect_true(stream.query(), "nothing was waited for");
  });

  on_cuda("the_time_of_an_event_that_is_only_created", {"EVT-017"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream();
    const auto event = r.event({.flag = 0});
    const auto other = r.event({.flag = 0});
    other.record(stream);
    other.synchronize();
    subject.sim().faults({{.call = "event_record", .code = 400}});
    expect_error([&] { event.record(stream); }, ErrorKind::kError);
    if (is_strict(subject)) {
      const ErrorKind kind =
          subject.contract().release == Release::k2_11 ? ErrorKind::kValue : ErrorKind::kError;
      expect_error([&] { other.elapsed(event); }, kind, {"recorded"});
    } else {
      expect_error([&] { other.elapsed(event); }, ErrorKind::kError,
                   {"CUDA error", "invalid resource handle"});
    }
  });
}

}  // namespace assay::suites
