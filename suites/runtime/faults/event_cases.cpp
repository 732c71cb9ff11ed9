// Events with driver failures: record (FLT-012), wait, synchronize and elapsed (FLT-013).
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

EventObject event_of(Session& subject, const std::string& api) {
  if (api == "generic") return subject.runtime().event({.api = api, .device = "cuda"});
  return subject.runtime().event({.api = api});
}

const std::vector<std::string> kApis = {"cuda", "generic"};

}  // namespace

CASES("runtime/failing_events") {
  for (const std::string& api : kApis) {
    for (const char* call : {"event_create", "event_record"}) {
      on_cuda("a_first_record_whose_" + std::string(call) + "_fails_leaves_no_trace_" + api,
              {"FLT-012", "EVT-025"},
              [api, call](Session& subject) {
                const auto stream = pool_on(subject, 1);
                const auto event = event_of(subject, api);
                const std::int64_t live = subject.sim().live().events;
                for (const std::int64_t code : {400, 900, 901}) {
                  const ScopedTrace place(std::to_string(code));
                  fail_next(subject, call, code);

                  expect_device_error(
                      subject, [&] { event.record(stream); }, code);

                  stop_failing(subject);
                  expect_false(event.info().recorded, "it does not count as recorded");
                  expect_true(event.query(), "there is nothing to wait for");
                  expect_at(subject.runtime().get_device(), subject.device(0));
                  expect_equal(subject.runtime().peek_last_error(), 0);
                }
                event.record(stream);
                expect_true(event.info().recorded, "it can be recorded still");
                event.drop();
                expect_equal(subject.sim().live().events, live);
              })
          .only(Deviations::kStrict);
    }

    on_cuda("a_later_record_that_fails_keeps_the_version_before_" + api, {"FLT-012", "EVT-025"},
            [api](Session& subject) {
              const auto stream = pool_on(subject);
              const auto idle = pool_on(subject);
              const auto event = event_of(subject, api);
              const auto gate = subject.runtime().gate(stream);
              event.record(stream);
              fail_next(subject, "event_record", 400);

              expect_device_error(
                  subject, [&] { event.record(idle); }, 400);

              expect_true(event.info().recorded, "it counts as recorded");
              expect_false(event.query(), "the version behind the gate is not complete");
              gate.open();
              stream.synchronize();
              expect_true(event.query(), "that version is complete once the gate is open");
            })
        .only(Deviations::kStrict);

    on_cuda("a_wait_that_fails_enqueues_nothing_" + api, {"FLT-013", "EVT-013"},
            [api](Session& subject) {
              const auto first = pool_on(subject);
              const auto second = pool_on(subject, 1);
              const Ref word = word_on(subject, subject.device(1));
              const auto event = event_of(subject, api);
              const auto gate = subject.runtime().gate(first);
              event.record(first);
              fail_next(subject, "stream_wait", 400);

              expect_device_error(
                  subject, [&] { event.block(second); }, 400);

              expect_at(subject.runtime().get_device(), subject.device(0));
              expect_equal(subject.runtime().peek_last_error(), 0);
              subject.runtime().store(word, 5, second);
              second.synchronize();  // would wait for the gate
              gate.expect_not_expired();
              expect_equal(gate.state(), "closed");
              gate.open();
            })
        .only(Deviations::kStrict);
  }

  on_cuda("a_wait_of_a_generic_event_that_fails_stays_on_the_stream_s_device", {"FLT-013"},
          [](Session& subject) {
            const auto stream = pool_on(subject, 1);
            const auto event = event_of(subject, "generic");
            event.record(stream);
            subject.runtime().set_device(subject.device(0));
            fail_next(subject, "stream_wait", 400);

            expect_device_error(
                subject, [&] { event.block(stream); }, 400);

            const bool is_back = subject.contract().release >= Release::k2_14;
            expect_at(subject.runtime().get_device(), subject.device(is_back ? 0 : 1));
          })
      .only(Deviations::kCompat);

  on_cuda("a_synchronization_that_fails_leaves_the_event", {"FLT-013"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto event = event_of(subject, "cuda");
    event.record(stream);
    fail_next(subject, "event_sync", 1);

    expect_device_error(
        subject, [&] { event.synchronize(); }, 1);

    expect_true(event.info().recorded, "it counts as recorded");
    expect_true(event.query(), "it is complete");
    event.synchronize();
    expect_equal(subject.runtime().peek_last_error(), 0);
  });

  on_cuda("an_elapsed_time_may_be_refused_as_not_ready", {"FLT-013", "EVT-019"},
          [](Session& subject) {
            const auto stream = pool_on(subject, 1);
            const auto from = subject.runtime().event({.api = "cuda", .flag = Value(0)});
            const auto to = subject.runtime().event({.api = "cuda", .flag = Value(0)});
            from.record(stream);
            to.record(stream);
            fail_next(subject, "event_elapsed", 600);

            expect_device_error(
                subject, [&] { from.elapsed(to); }, 600);

            expect_at(subject.runtime().get_device(), subject.device(0));
            expect_equal(subject.runtime().peek_last_error(), 0);
            expect_true(from.elapsed(to) >= 0, "the events are as they were");
          })
      .only(Deviations::kStrict);
}

}  // namespace assay::suites
