// External events in graphs: each replay records them, and waits for them.
#include "harness/suite/clients/graph.hpp"
#include "harness/suite/mistake.hpp"
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

EventObject external_event(Session& subject) {
  return subject.runtime().event({.api = "python", .timing = true, .external = true});
}

}  // namespace

CASES("runtime/graph_events") {
  on_cuda("every_replay_records_an_external_event", {"EVT-034", "EVT-030"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = external_event(subject);
    const auto second = external_event(subject);
    const auto graph = GraphClient(subject).of([&] {
      first.record();
      r.kernel();
      second.record();
    });
    expect_true(first.query() && second.query(), "nothing is recorded yet");
    expect_device_error(
        subject, [&] { first.elapsed(second); }, 400);

    graph.replay();
    second.synchronize();
    expect_true(first.elapsed(second) >= 0, "the second event is recorded after the first");

    const auto between = r.event({.flag = 0});
    between.record();
    graph.replay();
    second.synchronize();
    expect_true(between.elapsed(first) >= 0, "the second replay has recorded it anew");
  }).since(Release::k2_11);

  on_cuda("the_time_between_external_events_is_that_of_the_work_there", {"EVT-034", "EVT-019"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto first = external_event(subject);
            const auto second = external_event(subject);
            const auto third = external_event(subject);
            r.kernel({.ns = 1000});
            const auto graph = GraphClient(subject).of([&] {
              first.record();
              r.kernel({.ns = 2'500'000});
              second.record();
              r.kernel({.ns = 1'250'000});
              third.record();
            });

            graph.replay();
            third.synchronize();

            expect_within(f64({first.elapsed(second)}), {2.5}, {0.01}, "the first kernel's time");
            expect_within(f64({second.elapsed(third)}), {1.25}, {0.01}, "the second kernel's time");
          })
      .since(Release::k2_11);

  on_cuda("other_streams_wait_for_the_record_of_a_replay", {"EVT-034"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto event = external_event(subject);
    const auto word = word_on(subject, subject.device(), 1);
    const auto graph = GraphClient(subject).of([&] {
      r.kernel();
      event.record();
    });
    graph.replay();
    event.synchronize();
    const auto stream = pool_on(subject);
    const auto other = pool_on(subject);
    r.set_current_stream(stream);
    const auto gate = r.gate(stream);

    graph.replay();
    event.block(other);
    r.store(word, 5.0, other);

    expect_false(event.query(), "the replay is behind the gate");
    expect_false(other.query(), "the other stream waits for it");
    gate.open();
    event.synchronize();
    expect_true(event.query(), "the replay is over");
    other.synchronize();
    expect_word(subject, word, 5);
  }).since(Release::k2_11);

  on_cuda("a_replay_waits_for_an_external_event", {"EVT-034"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto event = external_event(subject);
    const auto word = word_on(subject, subject.device(), 1);
    const auto elsewhere = pool_on(subject);
    event.record(elsewhere);
    event.synchronize();
    const auto graph = GraphClient(subject).of([&] {
      event.block(r.current_stream());
      r.store(word, 5.0);
    });
    const auto stream = pool_on(subject);
    const auto gate = r.gate(elsewhere);
    event.record(elsewhere);

    r.set_current_stream(stream);
    graph.replay();

    expect_false(stream.query(), "the graph waits for the latest record");
    gate.open();
    stream.synchronize();
    expect_word(subject, word, 5);
  }).since(Release::k2_11);

  on_cuda("no_replay_records_an_ordinary_event", {"EVT-034", "EVT-030"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto event = r.event();
    const auto graph = GraphClient(subject).of([&] {
      r.kernel();
      event.record();
    });

    graph.replay();

    expect_device_error(
        subject, [&] { event.query(); }, 1);
    event.record(pool_on(subject));
    event.synchronize();
  });

  on_cuda("a_stream_that_cannot_be_asked_for_a_capture_is_an_error", {"EVT-034", "FLT-004"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream();
            const auto event = external_event(subject);
            event.record(stream);
            stream.synchronize();
            const auto fail = [&] {
              subject.sim().faults({{.call = "capture_status", .code = 400, .occurrence = 1}});
            };

            fail();
            expect_device_error(
                subject, [&] { event.record(stream); }, 400);
            fail();
            expect_device_error(
                subject, [&] { event.block(stream); }, 400);

            expect_equal(r.peek_last_error(), 0);
            expect_true(event.query(), "the event stays as it was");
            event.record(stream);
            event.block(stream);
          })
      .since(Release::k2_11);

  on_cuda("an_external_event_stays_external_after_a_failure", {"EVT-034", "FLT-012"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream();
            const auto event = external_event(subject);
            subject.sim().faults({{.call = "event_record", .code = 400, .occurrence = 1}});
            expect_device_error(
                subject, [&] { event.record(stream); }, 400);
            subject.sim().faults({});
            const auto graph = GraphClient(subject).make();
            graph.begin({.stream = stream, .mode = "relaxed"});
            r.kernel();

            event.record(stream);

            expect_true(event.query(), "the capture holds a node and no event");
            graph.end();
            graph.replay();
            r.synchronize_device();
            event.synchronize();
          })
      .since(Release::k2_11);

  on_cuda("the_stream_of_the_call_decides", {"EVT-034"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto chosen = r.pool_stream();
            const auto other = r.pool_stream();
            const auto inside = external_event(subject);
            const auto outside = external_event(subject);
            const auto graph = GraphClient(subject).make();
            graph.begin({.stream = chosen, .mode = "relaxed"});
            r.kernel();

            outside.record(other);
            outside.block(other);
            outside.synchronize();
            r.set_current_stream(other);
            inside.record(chosen);
            inside.block(chosen);

            expect_true(inside.query(), "the capture holds a node and no event");
            r.set_current_stream(chosen);
            graph.end();
          })
      .since(Release::k2_11)
      .only(Deviations::kStrict);

  on_cuda("the_current_stream_decides", {"EVT-034"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto chosen = r.pool_stream();
            const auto other = r.pool_stream();
            const auto inside = external_event(subject);
            const auto outside = external_event(subject);
            const auto graph = GraphClient(subject).make();
            graph.begin({.stream = chosen, .mode = "relaxed"});
            r.kernel();

            expect_device_error(
                subject, [&] { outside.record(other); }, 1);
            expect_device_error(
                subject, [&] { outside.block(other); }, 1);
            r.set_current_stream(other);
            inside.record(chosen);
            expect_device_error(
                subject, [&] { inside.query(); }, 907);
            r.set_current_stream(chosen);
            expect_device_error(
                subject, [&] { graph.end(); }, 901);
            shows_mistake(
                "an external event looks for a capture in the current stream instead of the one "
                "that it is given: recorded in a stream that captures and is not current, it is no "
                "node of the graph, and the capture is lost");
          })
      .since(Release::k2_11)
      .only(Deviations::kCompat);
}

}  // namespace assay::suites
