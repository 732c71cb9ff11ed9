// The last-error register, and checks of codes (FLT-001, FLT-003, FLT-004, FLT-006 to
// FLT-008).
#include "harness/suite/unsupported_case.hpp"
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

/// A launch that every runtime rejects, with one code or another (FLT-019).
void launch_nothing(Session& subject) {
  subject.runtime().launch({.grid = std::vector<std::int64_t>{0}, .n = 1});
}

}  // namespace

CASES("runtime/register") {
  on_cuda("a_failing_call_leaves_its_code_until_it_is_taken", {"FLT-001"}, [](Session& subject) {
    ignore_a_failure(subject, 400);

    expect_equal(subject.runtime().peek_last_error(), 400);
    expect_equal(subject.runtime().peek_last_error(), 400);
    expect_equal(subject.runtime().last_error(), 400);
    expect_equal(subject.runtime().last_error(), 0);
    expect_equal(subject.runtime().peek_last_error(), 0);
  });

  on_cuda("a_call_that_succeeds_does_not_clear_it", {"FLT-001"}, [](Session& subject) {
    ignore_a_failure(subject, 1);

    expect_equal(subject.runtime().checked({.call = "get_device", .how = "handled"}), 0);
    expect_equal(subject.runtime().checked({.call = "device_count", .how = "throw"}), 0);

    expect_equal(subject.runtime().peek_last_error(), 1);
  });

  on_cuda("a_later_failure_takes_its_place", {"FLT-001"}, [](Session& subject) {
    ignore_a_failure(subject, 1);
    ignore_a_failure(subject, 400);

    expect_equal(subject.runtime().last_error(), 400);
    expect_equal(subject.runtime().last_error(), 0);
  });

  on_cuda("each_thread_has_its_own", {"FLT-001"}, [](Session& subject) {
    if (!subject.info().threads) throw NotOffered("the subject has one thread only");
    ignore_a_failure(subject, 1);

    const auto there = subject.on("other", subject.block([](Session& s) {
      s.runtime().peek_last_error();
      s.runtime().launch_check();
    }));

    expect_equal(field(there.at(0), "result"), 0);
    expect_equal(subject.runtime().peek_last_error(), 1);
  });

  on_cuda("a_launch_leaves_its_error_there_alone", {"FLT-001", "FLT-006"}, [](Session& subject) {
    launch_nothing(subject);

    expect_true(subject.runtime().peek_last_error() != 0, "the launch is refused");
  });

  on_cuda("not_ready_is_left_there_too", {"FLT-001"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto gate = subject.runtime().gate(stream);

    const auto code = subject.runtime().checked(
        {.call = "stream_query", .arguments = {{stream.handle().handle}}, .how = "handled"});

    expect_equal(code, 600);
    expect_equal(subject.runtime().last_error(), 600);
    gate.open();
  });

  on_cuda("without_a_driver_it_holds_35_for_ever", {"FLT-003"}, [](Session& subject) {
    subject.sim().machine({.driver = false});

    expect_equal(subject.runtime().peek_last_error(), 35);  // V-93, T34
    expect_equal(subject.runtime().last_error(), 35);
    expect_equal(subject.runtime().last_error(), 35);
  }).fresh();

  on_cuda("without_a_driver_calls_answer_35", {"FLT-003"}, [](Session& subject) {
    subject.sim().machine({.driver = false});

    for (const char* call : {"get_device", "set_device", "device_sync", "malloc", "event_create",
                             "stream_create", "launch"}) {
      const ScopedTrace place(call);
      expect_equal(subject.runtime().checked({.call = call, .how = "handled"}), 35);
    }
    expect_device_error(
        subject, [&] { subject.runtime().launch_check(); }, 35);
    expect_equal(subject.runtime().peek_last_error(), 35);
  }).fresh();

  on_cuda("without_a_driver_there_are_no_devices", {"FLT-003", "GRD-028"}, [](Session& subject) {
    subject.sim().machine({.driver = false});

    expect_equal(subject.runtime().device_count(), 0);
  }).fresh();

  on_cuda("a_check_raises_the_code_and_clears_the_register", {"FLT-004"}, [](Session& subject) {
    fail_next(subject, "get_device", 400);
    subject.sim().log();

    expect_device_error(
        subject, [&] { subject.runtime().checked({.call = "get_device", .how = "throw"}); }, 400);

    expect_equal(subject.runtime().peek_last_error(), 0);
    expect_equal(count_calls(subject, "get_device"), 1);
  });

  on_cuda("a_check_of_success_does_nothing", {"FLT-004"}, [](Session& subject) {
    ignore_a_failure(subject, 1);

    expect_equal(subject.runtime().checked({.call = "get_device", .how = "throw"}), 0);

    expect_equal(subject.runtime().peek_last_error(), 1);
  });

  on_cuda("the_code_is_that_of_the_call_and_not_of_the_register", {"FLT-004"},
          [](Session& subject) {
            subject.sim().faults({{.call = "get_device", .code = 400, .clears = true}});

            expect_device_error(
                subject, [&] { subject.runtime().checked({.call = "get_device", .how = "throw"}); },
                400);
            expect_equal(subject.runtime().peek_last_error(), 0);
          })
      .only(Deviations::kStrict);

  on_cuda("later_releases_raise_what_the_call_answered", {"FLT-004"},
          [](Session& subject) {
            subject.sim().faults({{.call = "get_device", .code = 400, .clears = true}});

            expect_device_error(
                subject, [&] { subject.runtime().checked({.call = "get_device", .how = "throw"}); },
                400);
          })
      .since(Release::k2_4)
      .only(Deviations::kCompat);

  on_cuda("1_13_swallows_an_error_that_has_left_the_register", {"FLT-004"},
          [](Session& subject) {
            subject.sim().faults({{.call = "get_device", .code = 400, .clears = true}});

            subject.runtime().checked({.call = "get_device", .how = "throw"});

            expect_equal(subject.runtime().peek_last_error(), 0);
          })
      .until(Release::k1_13)
      .only(Deviations::kCompat);

  on_cuda("a_launch_check_finds_what_a_launch_has_left", {"FLT-006"}, [](Session& subject) {
    launch_nothing(subject);
    const std::int64_t code = subject.runtime().peek_last_error();

    expect_true(code != 0, "the launch is refused");
    expect_device_error(
        subject, [&] { subject.runtime().launch_check(); }, code);

    subject.runtime().launch_check();
    expect_equal(subject.runtime().peek_last_error(), 0);
  });

  on_cuda("a_launch_check_blames_the_launch_for_an_older_error", {"FLT-006"}, [](Session& subject) {
    ignore_a_failure(subject, 1);

    expect_device_error(
        subject, [&] { subject.runtime().launch_check(); }, 1);

    expect_equal(subject.runtime().peek_last_error(), 0);
  });

  on_cuda("a_launch_check_does_not_find_errors_of_the_kernel", {"FLT-006", "FLT-010"},
          [](Session& subject) {
            subject.sim().schedule("manual");
            const auto stream = subject.runtime().pool_stream();
            subject.runtime().kernel({.stream = stream, .fails = 700});

            subject.runtime().launch_check();  // T32

            expect_device_error(
                subject, [&] { stream.synchronize(); }, 700);
          })
      .fresh();

  on_cuda("a_refused_launch_enqueues_nothing", {"FLT-006", "FLT-019"}, [](Session& subject) {
    subject.sim().schedule("manual");
    const auto stream = subject.runtime().pool_stream();

    expect_equal(
        subject.runtime().launch({.stream = stream, .grid = std::vector<std::int64_t>{0}, .n = 1}),
        0);

    expect_equal(subject.sim().pending(stream), 0);
    expect_true(subject.runtime().last_error() != 0, "it is refused");
  });

  on_cuda("not_ready_is_no_error_of_a_query", {"FLT-007"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto event = subject.runtime().event();
    const auto gate = subject.runtime().gate(stream);
    event.record(stream);

    expect_false(stream.query(), "the stream is busy behind a closed gate");
    expect_equal(subject.runtime().peek_last_error(), 0);
    subject.runtime().launch_check();
    expect_false(event.query(), "the event is not complete behind a closed gate");
    expect_equal(subject.runtime().peek_last_error(), 0);
    subject.runtime().launch_check();

    gate.open();
    stream.synchronize();
    expect_true(stream.query() && event.query(), "both are done once the gate is open");
  });

  on_cuda("an_older_error_is_not_cleared_by_a_query_that_is_ready", {"FLT-007", "FLT-001"},
          [](Session& subject) {
            const auto stream = pool_on(subject);
            ignore_a_failure(subject, 1);

            expect_true(stream.query(), "nothing is pending");

            expect_equal(subject.runtime().last_error(), 1);
          });

  on_cuda("a_warning_stands_for_an_error_that_cannot_be_raised", {"FLT-008"}, [](Session& subject) {
    fail_next(subject, "get_device", 1);

    subject.runtime().checked({.call = "get_device", .how = "warn"});

    expect_cuda_warning(subject, {"invalid argument"});
    expect_equal(subject.runtime().peek_last_error(), 0);
  });

  on_cuda("an_ignored_error_is_cleared_in_silence", {"FLT-008"}, [](Session& subject) {
    fail_next(subject, "get_device", 1);

    subject.runtime().checked({.call = "get_device", .how = "ignore"});

    expect_true(subject.warnings().empty(), "there is no warning");
    expect_equal(subject.runtime().peek_last_error(), 0);
  });

  on_cuda("a_handled_error_is_left_to_the_caller", {"FLT-008"}, [](Session& subject) {
    fail_next(subject, "get_device", 1);

    expect_equal(subject.runtime().checked({.call = "get_device", .how = "handled"}), 1);

    expect_true(subject.warnings().empty(), "there is no warning");
    expect_equal(subject.runtime().peek_last_error(), 1);
  });

  on_cuda("an_event_that_cannot_be_destroyed_is_a_warning", {"FLT-008", "EVT-022"},
          [](Session& subject) {
            const auto event = subject.runtime().event();
            event.record();
            fail_next(subject, "event_destroy", 400);

            event.drop();

            // EVT-022: before 2.11, PyTorch does not warn.
            const bool is_silent =
                !is_strict(subject) && subject.contract().release < Release::k2_11;
            if (is_silent) {
              expect_true(subject.warnings().empty(), "there is no warning");
            } else {
              expect_cuda_warning(subject, {"invalid resource handle"});
            }
            expect_equal(subject.runtime().peek_last_error(), 0);
          });
}

}  // namespace assay::suites
