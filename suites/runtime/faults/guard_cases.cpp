// Devices that cannot be made current (FLT-009), and destructors after the runtime has ended
// (FLT-017).
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

constexpr std::int64_t kDeviceCodes[] = {101, 46, 100};

}  // namespace

CASES("runtime/failing_devices") {
  on_cuda("a_guard_that_cannot_be_made_changes_nothing", {"FLT-009", "GRD-001", "GRD-008"},
          [](Session& subject) {
            for (const std::int64_t code : kDeviceCodes) {
              const ScopedTrace place(std::to_string(code));
              fail_next(subject, "set_device", code);

              expect_device_error(
                  subject, [&] { subject.runtime().device_guard(subject.device(1)); }, code);

              stop_failing(subject);
              expect_at(subject.runtime().get_device(), subject.device(0));
              expect_equal(subject.runtime().peek_last_error(), 0);
            }
          });

  on_cuda("a_stream_guard_that_cannot_be_made_changes_nothing", {"FLT-009", "GRD-008", "GRD-012"},
          [](Session& subject) {
            const auto stream = subject.runtime().pool_stream({.device = subject.device(1)});
            fail_next(subject, "set_device", 101);

            expect_device_error(
                subject, [&] { subject.runtime().stream_guard(stream); }, 101);

            stop_failing(subject);
            expect_at(subject.runtime().get_device(), subject.device(0));
            expect_equal(current_id(subject, subject.device(1)), 0);
          });

  on_cuda("a_device_that_cannot_be_set_leaves_the_guard_as_it_was", {"FLT-009", "GRD-003"},
          [](Session& subject) {
            const auto guard = subject.runtime().device_guard(subject.device(1));
            fail_next(subject, "set_device", 101);

            expect_device_error(
                subject, [&] { guard.set_device(subject.device(0)); }, 101);

            expect_at(guard.info().current_device, subject.device(1));
            expect_at(subject.runtime().get_device(), subject.device(1));
            guard.leave();
            expect_at(subject.runtime().get_device(), subject.device(0));
          });

  on_cuda("a_device_that_cannot_be_reset_leaves_the_guard_as_it_was", {"FLT-009", "GRD-004"},
          [](Session& subject) {
            const auto guard = subject.runtime().device_guard(subject.device(1));
            fail_next(subject, "set_device", 46);

            expect_device_error(
                subject, [&] { guard.reset_device(subject.device(0)); }, 46);

            expect_at(guard.info().current_device, subject.device(1));
            guard.leave();
            expect_at(subject.runtime().get_device(), subject.device(0));
          });

  on_cuda("a_negative_index_is_no_device", {"FLT-009"}, [](Session& subject) {
    const Device nowhere{"cuda", -1};

    expect_error([&] { subject.runtime().set_device(nowhere); }, ErrorKind::kError,
                 {"device id must be"});

    expect_at(subject.runtime().get_device(), subject.device(0));
    expect_equal(subject.runtime().peek_last_error(), 0);
  }).since(Release::k2_4);  // earlier releases ask the driver

  on_cuda("a_device_that_cannot_be_restored_is_a_warning", {"FLT-009", "FLT-008", "GRD-009"},
          [](Session& subject) {
            // Later releases set a device only if it already has a context.
            pool_on(subject, 0);
            const auto guard = subject.runtime().device_guard(subject.device(1));
            pool_on(subject, 1);
            fail_next(subject, "set_device", 101);

            guard.leave();

            expect_cuda_warning(subject, {"invalid device ordinal"});
            expect_equal(subject.runtime().peek_last_error(), 0);
          });

  on_cuda("leaving_an_error_behind_does_not_hide_it", {"FLT-009", "GRD-008"}, [](Session& subject) {
    const Block enter = subject.block([&](Session& s) { s.runtime().device_guard(s.device(1)); });
    const Block body = subject.block([](Session& s) {
      s.send("raise", {{"kind", "value"}, {"message", "mine"}});
    });
    fail_next(subject, "stream_sync", 1);

    expect_error([&] { subject.scope(enter, body); }, ErrorKind::kValue, {"mine"});

    expect_at(subject.runtime().get_device(), subject.device(0));
  });
}

CASES("runtime/shutdown") {
  on_cuda("an_event_outlives_the_runtime_without_an_error", {"FLT-017", "FLT-008"},
          [](Session& subject) {
            const auto event = subject.runtime().event();
            event.record();
            subject.sim().faults({{.call = "event_destroy", .code = 4, .occurrence = 0},
                                  {.call = "set_device", .code = 4, .occurrence = 0}});

            event.drop();

            stop_failing(subject);
            expect_equal(subject.runtime().peek_last_error(), 0);
          });

  on_cuda("a_guard_outlives_the_runtime_without_an_error", {"FLT-017", "GRD-009"},
          [](Session& subject) {
            const auto guard = subject.runtime().device_guard(subject.device(1));
            subject.sim().faults({{.call = "set_device", .code = 4, .occurrence = 0},
                                  {.call = "get_device", .code = 4, .occurrence = 0}});

            guard.leave();

            stop_failing(subject);
            expect_equal(subject.runtime().peek_last_error(), 0);
          });

  on_cuda("streams_of_the_pool_are_never_destroyed", {"FLT-017", "STR-015"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const std::int64_t live = subject.sim().live().streams;
    subject.sim().log();

    stream.drop();

    expect_equal(subject.sim().live().streams, live);
    expect_equal(count_calls(subject, "stream_destroy"), 0);
  });
}

}  // namespace assay::suites
