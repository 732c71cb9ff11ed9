// The order that an event establishes: work before its latest record, for later waiters.
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

/// Two ready streams and an event.
struct Pair {
  explicit Pair(Session& subject, int other_device = 0)
      : first(pool_on(subject)),
        second(pool_on(subject, other_device)),
        event(subject.runtime().event()) {}
  StreamObject first;
  StreamObject second;
  EventObject event;
};

}  // namespace

CASES("runtime/event_order") {
  on_cuda("a_record_stands_for_what_came_before", {"EVT-007", "EVT-015"}, [](Session& subject) {
    const Pair p(subject);
    p.event.record(p.first);
    p.first.synchronize();
    const auto gate = subject.runtime().gate(p.first);
    subject.runtime().kernel({.stream = p.first});
    expect_true(p.event.query(), "later work does not change it");
    expect_false(p.first.query(), "the gate is closed");
    gate.open();
    p.first.synchronize();
  });

  on_cuda("a_record_waits_for_what_came_before", {"EVT-007", "EVT-015", "EVT-016"},
          [](Session& subject) {
            const Pair p(subject);
            const auto gate = subject.runtime().gate(p.first);
            p.event.record(p.first);
            expect_false(p.event.query(), "the gate is closed");
            expect_false(p.event.query(), "it is closed still");
            gate.open();
            p.event.synchronize();
            expect_true(p.event.query(), "the work is done");
            expect_true(p.event.query(), "the work is still done");
          });

  on_cuda("a_record_changes_nothing_that_is_current", {"EVT-007"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto current = r.pool_stream();
    r.set_current_stream(current);
    const auto there = r.pool_stream({.device = subject.device(1)});
    for (const char* api : {"cuda", "python"}) {
      const auto event = r.event({.api = api});
      event.record(there);
      event.block(current);
      expect_at(r.get_device(), subject.device(0));
      expect_same(r.current_stream().value(), current.value());
      expect_value(r.current_stream(subject.device(1)).value(), subject.device(1), 0);
    }
  });

  on_cuda("without_a_stream_it_is_the_current_one", {"EVT-008"}, [](Session& subject) {
    const Pair p(subject);
    const auto r = subject.runtime();
    r.set_current_stream(p.first);
    const auto gate = r.gate(p.first);
    p.event.record();
    expect_false(p.event.query(), "the current stream is held up");
    const auto python = r.event({.api = "python"});
    python.record();
    expect_false(python.query(), "the current stream is held up");
    r.set_current_stream(p.second);
    const auto other = r.event();
    other.record();
    other.synchronize();
    expect_true(other.query(), "the other stream does not wait");
    gate.open();
    p.event.synchronize();
  });

  on_cuda("without_a_stream_it_is_on_the_current_device", {"EVT-008"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.set_device(subject.device(1));
    const auto event = r.event();
    event.record();
    expect_at(event.info().device, subject.device(1));
    event.synchronize();
    r.set_device(subject.device(0));
  });

  on_cuda("record_once_records_the_first_time", {"EVT-009"}, [](Session& subject) {
    const Pair p(subject, 1);
    p.event.record_once(p.first);
    p.event.synchronize();
    const auto gate = subject.runtime().gate(p.second);
    p.event.record_once(p.second);
    expect_true(p.event.query(), "the second time does nothing");
    expect_at(p.event.info().device, subject.device(0));
    gate.open();
    p.second.synchronize();
  });

  on_cuda("record_once_records_what_is_only_created", {"EVT-009", "EVT-017"}, [](Session& subject) {
    const Pair p(subject);
    const auto event = subject.runtime().event({.flag = 6});
    event.ipc_handle();
    const auto gate = subject.runtime().gate(p.first);
    event.record_once(p.first);
    expect_false(event.query(), "it was recorded");
    gate.open();
    event.synchronize();
  });

  on_cuda("a_wait_keeps_the_older_version", {"EVT-010", "EVT-011"}, [](Session& subject) {
    const Pair p(subject);
    p.event.record(p.first);
    p.event.block(p.second);
    const auto gate = subject.runtime().gate(p.first);
    p.event.record(p.first);
    subject.runtime().kernel({.stream = p.second});
    p.second.synchronize();
    expect_false(p.event.query(), "the new version stands behind the gate");
    expect_equal(gate.state(), "closed");
    gate.open();
    p.first.synchronize();
  });

  on_cuda("a_later_wait_is_for_the_newest_version", {"EVT-010"}, [](Session& subject) {
    const Pair p(subject);
    p.event.record(p.first);
    p.first.synchronize();
    const auto gate = subject.runtime().gate(p.first);
    p.event.record(p.first);
    p.event.block(p.second);
    subject.runtime().kernel({.stream = p.second});
    expect_false(p.second.query(), "it waits for the new version");
    gate.open();
    p.second.synchronize();
    expect_true(p.event.query(), "it is done");
  });

  on_cuda("recording_again_elsewhere_sets_it_free", {"EVT-010", "EVT-016"}, [](Session& subject) {
    const Pair p(subject);
    const auto gate = subject.runtime().gate(p.first);
    p.event.record(p.first);
    expect_false(p.event.query(), "it stands behind the gate");
    p.event.record(p.second);
    p.event.synchronize();
    expect_true(p.event.query(), "the new version is done");
    expect_false(p.first.query(), "the gate is closed still");
    gate.open();
    p.first.synchronize();
  });

  on_cuda("recording_again_makes_it_not_ready", {"EVT-010", "EVT-015"}, [](Session& subject) {
    const Pair p(subject);
    p.event.record(p.first);
    p.event.synchronize();
    expect_true(p.event.query(), "the first version is done");
    const auto gate = subject.runtime().gate(p.second);
    p.event.record(p.second);
    expect_false(p.event.query(), "the second version is not done");
    gate.open();
    p.event.synchronize();
  });

  on_cuda("a_wait_before_the_record_never_waits", {"EVT-011"}, [](Session& subject) {
    const Pair p(subject);
    p.event.block(p.second);
    const auto gate = subject.runtime().gate(p.first);
    p.event.record(p.first);
    subject.runtime().kernel({.stream = p.second});
    p.second.synchronize();
    expect_equal(gate.state(), "closed");
    gate.open();
    p.first.synchronize();
  });

  on_cuda("a_stream_of_another_device_can_wait", {"EVT-013"}, [](Session& subject) {
    const Pair p(subject, 1);
    const auto gate = subject.runtime().gate(p.first);
    p.event.record(p.first);
    p.event.block(p.second);
    subject.runtime().kernel({.stream = p.second});
    expect_false(p.second.query(), "it waits for the other device");
    expect_at(subject.runtime().get_device(), subject.device(0));
    gate.open();
    p.second.synchronize();
    expect_true(p.event.query(), "it is done");
  });

  on_cuda("the_stream_that_recorded_can_wait", {"EVT-013"}, [](Session& subject) {
    const Pair p(subject);
    p.event.record(p.first);
    p.event.block(p.first);
    subject.runtime().kernel({.stream = p.first});
    p.first.synchronize();
    expect_true(p.first.query(), "it does not wait for itself");
  });

  on_cuda("many_streams_can_wait_for_one_version", {"EVT-013"}, [](Session& subject) {
    const Pair p(subject);
    const std::vector<StreamObject> waiting{p.second, pool_on(subject), pool_on(subject)};
    const auto gate = subject.runtime().gate(p.first);
    p.event.record(p.first);
    for (const StreamObject& stream : waiting) {
      p.event.block(stream);
      subject.runtime().kernel({.stream = stream});
    }
    for (const StreamObject& stream : waiting) expect_false(stream.query(), "it waits");
    gate.open();
    for (const StreamObject& stream : waiting) stream.synchronize();
  });

  on_cuda("waiting_holds_up_later_work_alone", {"EVT-014"}, [](Session& subject) {
    const Pair p(subject);
    const auto before = subject.runtime().event();
    const auto gate = subject.runtime().gate(p.first);
    p.event.record(p.first);
    subject.runtime().kernel({.stream = p.second});
    before.record(p.second);
    p.event.block(p.second);
    before.synchronize();
    expect_true(before.query(), "what came before the wait is done");
    expect_false(p.second.query(), "what comes after the wait is not done");
    expect_equal(gate.state(), "closed");
    gate.open();
    p.second.synchronize();
  });

  on_cuda("a_generic_event_does_not_block_the_host", {"EVT-014"}, [](Session& subject) {
    const Pair p(subject);
    const auto event = subject.runtime().event({.api = "generic", .device = "cuda"});
    const auto gate = subject.runtime().gate(p.first);
    event.record(p.first);
    event.block(p.second);
    expect_equal(gate.state(), "closed");
    gate.open();
    p.second.synchronize();
  });

  on_cuda("data_follow_the_event", {"EVT-013", "EVT-007"}, [](Session& subject) {
    const Pair p(subject);
    const auto r = subject.runtime();
    const auto word = word_on(subject, subject.device());
    const auto gate = r.gate(p.first);
    r.store(word, 7.0, p.first);
    p.event.record(p.first);
    r.store(word, 8.0, p.first);
    p.event.block(p.second);
    const Ref seen = r.load(word, p.second);
    gate.open();
    p.second.synchronize();
    p.first.synchronize();
    const double value = subject.core().read(seen).real_at(0);
    expect_true(value == 7 || value == 8, "it read what was stored before the record, or later");
  });

  on_cuda("two_events_on_two_streams_are_both_waited_for", {"EVT-013", "EVT-028"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto a = pool_on(subject);
            const auto b = pool_on(subject);
            const auto c = pool_on(subject);
            const auto gate_a = r.gate(a);
            const auto gate_b = r.gate(b);
            r.wait_stream(c, a);
            r.wait_stream(c, b);
            r.kernel({.stream = c});
            expect_false(c.query(), "both gates are closed");
            gate_b.open();
            b.synchronize();
            expect_false(c.query(), "one gate is closed");
            gate_a.open();
            c.synchronize();
          });

  on_cuda("not_ready_leaves_no_error", {"EVT-015"}, [](Session& subject) {
    const Pair p(subject, 1);
    const auto r = subject.runtime();
    const auto gate = r.gate(p.second);
    p.event.record(p.second);
    expect_false(p.event.query(), "the gate is closed");
    expect_equal(r.peek_last_error(), 0);
    r.launch_check();
    expect_at(r.get_device(), subject.device(0));
    gate.open();
    p.event.synchronize();
    expect_at(r.get_device(), subject.device(0));
  });

  on_cuda("another_code_of_a_query_is_an_error", {"EVT-015", "EVT-016"}, [](Session& subject) {
    const Pair p(subject);
    p.event.record(p.first);
    p.event.synchronize();
    subject.sim().faults({{.call = "event_query", .code = 400}});
    expect_error([&] { p.event.query(); }, ErrorKind::kDevice);
    expect_true(p.event.query(), "the next query succeeds");
    subject.sim().faults({{.call = "event_sync", .code = 400}});
    expect_error([&] { p.event.synchronize(); }, ErrorKind::kDevice);
    expect_true(p.event.info().recorded, "it is recorded still");
  }).only(Deviations::kStrict);

  on_cuda("a_generic_event_orders_streams_as_well", {"EVT-007", "EVT-013", "EVT-016"},
          [](Session& subject) {
            const Pair p(subject, 1);
            const auto event = subject.runtime().event({.api = "generic", .device = "cuda"});
            const auto gate = subject.runtime().gate(p.first);
            event.record(p.first);
            event.block(p.second);
            subject.runtime().kernel({.stream = p.second});
            expect_false(event.query(), "the gate is closed");
            expect_false(p.second.query(), "it waits");
            gate.open();
            event.synchronize();
            p.second.synchronize();
            expect_true(event.query(), "it is done");
            expect_at(subject.runtime().get_device(), subject.device(0));
          })
      .since(Release::k2_4);

  on_cuda("a_used_event_is_as_good_as_a_new_one", {"EVT-032", "EVT-010"}, [](Session& subject) {
    const Pair p(subject);
    const auto third = pool_on(subject);
    p.event.record(p.first);
    p.event.block(p.second);
    p.event.synchronize();
    const auto gate = subject.runtime().gate(p.first);
    p.event.record_once(p.first);
    expect_true(p.event.query(), "record_once does nothing to it");
    p.event.record(p.first);
    p.event.block(third);
    subject.runtime().kernel({.stream = third});
    expect_false(third.query(), "the stream waits for the newest record");
    p.second.synchronize();
    expect_true(p.second.query(), "the old wait is over");
    gate.open();
    third.synchronize();
  });
}

}  // namespace assay::suites
