// Destruction of events, and of events that others wait for.
#include "suites/runtime/events.hpp"

namespace assay::suites {
namespace {

/// Drops an event while the driver fails to destroy it.
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

}  // namespace

CASES("runtime/event_end") {
  conformance("an_empty_event_ends_without_a_call", {"EVT-022"}, [](Session& subject) {
    add_logging(subject, "hip");
    timed_generic(subject).drop();
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
            expect_true(subject.warnings().empty(), "the failure causes no warning");
            expect_at(subject.runtime().get_device(), subject.device(0));
          })
      .until(Release::k2_4)
      .only(Deviations::kCompat);
}

}  // namespace assay::suites
