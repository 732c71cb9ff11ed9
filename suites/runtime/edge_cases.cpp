// Second captures, second devices, other threads, and streams that are gone.
#include "harness/suite/device_error.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {

CASES("runtime/edges") {
  on_cuda("a_stream_that_captures_cannot_begin_again", {"STR-028", "CAP-003"},
          [](Session& subject) {
            const auto stream = pool_on(subject);
            subject.runtime().capture_begin(stream, "relaxed");

            expect_device_error(
                subject, [&] { subject.runtime().capture_begin(stream, "relaxed"); }, 401);

            expect_equal(subject.runtime().capture_status(stream), "active");
            subject.runtime().capture_end(stream);
          });

  on_cuda("a_capture_is_ended_by_the_thread_that_began_it_unless_relaxed", {"FLT-016"},
          [](Session& subject) {
            const auto stream = pool_on(subject);
            const auto end_there = [&] {
              subject.on("there",
                         subject.block([&](Session& s) { s.runtime().capture_end(stream); }));
            };
            for (const char* mode : {"global", "thread_local"}) {
              const ScopedTrace at(mode);
              subject.runtime().capture_begin(stream, mode);
              expect_device_error(subject, end_there, 908);
              expect_equal(subject.runtime().capture_status(stream), "active");
              subject.runtime().capture_end(stream);
            }
            subject.runtime().capture_begin(stream, "relaxed");
            end_there();
            expect_equal(subject.runtime().capture_status(stream), "none");
          });

  on_cuda("a_raw_stream_is_destroyed", {"STR-011"}, [](Session& subject) {
    const std::int64_t live = subject.sim().live().streams;
    const RawStream raw = subject.runtime().raw_stream();
    expect_equal(subject.sim().live().streams, live + 1);

    subject.runtime().destroy_raw_stream(raw.stream);

    expect_equal(subject.sim().live().streams, live);
  });

  on_cuda("nothing_runs_on_a_manual_schedule_before_its_step", {"STR-023"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto other = pool_on(subject);
    subject.sim().schedule("manual");
    subject.runtime().kernel({.stream = stream});
    subject.runtime().kernel({.stream = stream});
    subject.runtime().kernel({.stream = other});

    expect_false(stream.query(), "nothing has run");
    expect_false(stream.query(), "a query runs nothing");
    expect_equal(subject.sim().pending(stream), 2);
    expect_equal(subject.sim().step(stream), 1);
    expect_false(stream.query(), "half has run");
    expect_equal(subject.sim().step(stream, 5), 1);

    expect_true(stream.query(), "all has run");
    expect_false(other.query(), "the other stream was not stepped");
  });
}

}  // namespace assay::suites
