// Special cases of events: a second device's default stream, debug mode, and captures that begin or
// end around a record (EVT-009, EVT-013, EVT-016, EVT-030).
#include "harness/suite/clients/graph.hpp"
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

/// An event behind a gate in a pool stream of the first device.
struct Held {
  StreamObject stream;
  GateObject gate;
  EventObject event;
};

Held held(Session& subject, const EventOptions& options = {}) {
  const auto stream = pool_on(subject);
  pool_on(subject, 1);
  const auto event = subject.runtime().event(options);
  const auto gate = subject.runtime().gate(stream);
  event.record(stream);
  return {stream, gate, event};
}

/// Later work in the second device's default stream comes after the gate, that in the first
/// device's does not.
void expect_second_default_waits(Session& subject, const Held& it) {
  const auto r = subject.runtime();
  const auto here = r.default_stream(subject.device(0));
  const auto there = r.default_stream(subject.device(1));
  it.event.block(there);
  r.kernel({.stream = there});
  r.kernel({.stream = here});

  expect_true(here.query(), "the first device's default stream waits for nothing");
  expect_false(there.query(), "the second device's waits for the event");
  expect_at(r.get_device(), subject.device(0));
  it.gate.open();
  there.synchronize();
  expect_true(there.query(), "the event is over");
}

}  // namespace

CASES("runtime/event_bounds") {
  on_cuda("the_default_stream_of_a_second_device_can_wait", {"EVT-013"},
          [](Session& subject) { expect_second_default_waits(subject, held(subject)); });

  on_cuda("it_can_wait_for_a_generic_event", {"EVT-013"}, [](Session& subject) {
    expect_second_default_waits(subject, held(subject, {.api = "generic", .device = "cuda"}));
  });

  on_cuda("an_event_of_a_second_device_s_default_stream_is_waited_for", {"EVT-013", "EVT-007"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto near = pool_on(subject);
            const auto far = r.default_stream(subject.device(1));
            const auto event = r.event();
            const auto gate = r.gate(far);
            event.record(far);

            event.block(near);
            r.kernel({.stream = near});

            expect_false(near.query(), "it waits for the other device");
            expect_false(event.query(), "the gate is closed");
            expect_true(r.default_stream(subject.device(0)).query(), "this one has nothing to do");
            gate.open();
            near.synchronize();
            expect_true(event.query(), "it is over");
          });

  for (const char* const api : {"cuda", "generic"}) {
    on_cuda(std::string("the_debug_mode_does_not_see_waits_for_") +
                (*api == 'c' ? "an_event" : "a_generic_event"),
            {"EVT-016"},
            [api](Session& subject) {
              const auto r = subject.runtime();
              const auto stream = pool_on(subject);
              const auto event =
                  *api == 'c' ? r.event() : r.event({.api = "generic", .device = "cuda"});
              event.record(stream);
              for (const char* mode : {"warn", "error"}) {
                const ScopedTrace row(mode);
                r.sync_debug_mode(mode);
                event.synchronize();
                expect_true(subject.warnings().empty(), "it says nothing");
                r.sync_debug_mode("default");
              }
            })
        .since(Release::k2_4);
  }

  on_cuda("what_was_recorded_before_a_capture_is_no_part_of_it", {"EVT-030", "FLT-016"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto before = pool_on(subject);
            const auto stream = r.pool_stream();
            const auto event = r.event();
            event.record(before);
            before.synchronize();
            r.capture_begin(stream, "relaxed");

            expect_device_error(
                subject, [&] { event.block(stream); }, 905);

            expect_true(event.query(), "the event is as it was");
            expect_error([&] { r.capture_end(stream); }, ErrorKind::kDevice);
            expect_equal(r.capture_status(stream), "none");
          });

  on_cuda("an_external_event_recorded_before_a_capture_is_waited_for_in_it", {"EVT-030"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto before = pool_on(subject);
            const auto stream = r.pool_stream();
            const auto event = r.event({.api = "python", .external = true});
            event.record(before);
            r.set_current_stream(stream);  // PyTorch checks the current one
            r.capture_begin(stream, "relaxed");

            event.block(stream);

            expect_equal(r.capture_status(stream), "active");
            r.capture_end(stream);
            expect_true(event.query(), "the event is as it was");
          })
      .since(Release::k2_11);

  on_cuda("an_event_recorded_in_a_capture_is_recorded", {"EVT-009", "EVT-030"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream();
            const auto event = r.event();
            r.capture_begin(stream, "relaxed");
            event.record(stream);
            subject.sim().log();

            event.record_once(stream);

            expect_equal(count_calls(subject, "event_record"), 0);
            expect_true(event.info().recorded, "it was recorded");
            r.capture_end(stream);
          });

  on_cuda("recording_again_outside_takes_it_out_of_the_capture", {"EVT-010", "EVT-030"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream();
            const auto other = pool_on(subject);
            const auto event = r.event();
            r.capture_begin(stream, "relaxed");
            event.record(stream);

            event.record(other);

            event.synchronize();
            expect_true(event.query(), "the host may ask again");
            expect_equal(r.capture_status(stream), "active");
            r.capture_end(stream);
          });
}

}  // namespace assay::suites
