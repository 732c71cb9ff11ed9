// Device guards: calls of the backend, properties, and restored state.
#include "suites/runtime/guards/guards.hpp"

namespace assay::suites {

CASES("runtime/device_guard") {
  conformance("it_enters_and_restores", {"GRD-001"}, [](Session& subject) {
    start_at(subject, 0);
    const auto guard = subject.runtime().device_guard(hip(1));
    expect_devices(guard, hip(0), hip(1));
    guard.leave();
    expect_calls(subject, {"exch(1)", "uset(0)"});
    expect_equal(device_now(subject), 0);
  });

  conformance("it_enters_the_same_device_all_the_same", {"GRD-001"}, [](Session& subject) {
    start_at(subject, 2);
    const auto guard = subject.runtime().device_guard(hip(2));
    expect_devices(guard, hip(2), hip(2));
    guard.leave();
    expect_calls(subject, {"exch(2)", "uset(2)"});
  });

  conformance("one_that_looks_its_backend_up_does_the_same", {"GRD-001", "GRD-010"},
              [](Session& subject) {
                start_at(subject, 0);
                const auto guard = subject.runtime().device_guard(hip(1), {.is_virtual = true});
                expect_devices(guard, hip(0), hip(1));
                guard.leave();
                expect_calls(subject, {"exch(1)", "uset(0)"});
              });

  on_cuda("a_device_of_cuda_is_entered_and_left", {"GRD-001"}, [](Session& subject) {
    const auto r = subject.runtime();
    for (const bool is_virtual : {false, true}) {
      const auto guard = r.device_guard(subject.device(1), {.is_virtual = is_virtual});
      expect_at(r.get_device(), subject.device(1));
      expect_devices(guard, subject.device(0), subject.device(1));
      guard.leave();
      expect_at(r.get_device(), subject.device(0));
    }
  });

  on_cuda("nested_guards_restore_in_reverse", {"GRD-001", "GRD-017"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto outer = r.device_guard(subject.device(1));
    const auto inner = r.device_guard(subject.device(0));
    const auto innermost = r.device_guard(subject.device(1));
    expect_devices(innermost, subject.device(0), subject.device(1));
    innermost.leave();
    expect_at(r.get_device(), subject.device(0));
    inner.leave();
    expect_at(r.get_device(), subject.device(1));
    outer.leave();
    expect_at(r.get_device(), subject.device(0));
  });

  on_cuda("a_guard_is_of_its_thread", {"GRD-001", "STR-020"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto guard = r.device_guard(subject.device(1));
    const auto replies =
        subject.on("other", subject.block([&](Session& s) { s.runtime().get_device(); }));
    expect_at(field_as<Device>(replies.at(0), "result"), subject.device(0));
    guard.leave();
  });

  conformance("no_index_is_the_current_device_which_it_restores", {"GRD-002"},
              [](Session& subject) {
                start_at(subject, 2);
                const auto guard = subject.runtime().device_guard(hip());
                expect_devices(guard, hip(2), hip(2));
                guard.leave();
                expect_calls(subject, {"get", "uset(2)"});
              });

  conformance("no_index_restores_what_was_changed_inside", {"GRD-002"}, [](Session& subject) {
    start_at(subject, 0);
    const auto guard = subject.runtime().device_guard(hip());
    subject.runtime().set_device(hip(3));
    guard.leave();
    expect_equal(device_now(subject), 0);
  });

  conformance("setting_changes_the_device_and_not_what_is_restored", {"GRD-003"},
              [](Session& subject) {
                start_at(subject, 0);
                const auto guard = subject.runtime().device_guard(hip(1));
                guard.set_device(hip());
                guard.set_device(hip(2));
                expect_devices(guard, hip(0), hip(2));
                guard.set_index(3);
                expect_devices(guard, hip(0), hip(3));
                guard.set_index(-1);
                expect_devices(guard, hip(0), hip(3));
                guard.leave();
                expect_calls(subject, {"exch(1)", "set(2)", "set(3)", "uset(0)"});
                expect_equal(device_now(subject), 0);
              });

  conformance("setting_another_type_is_refused_even_without_an_index", {"GRD-003"},
              [](Session& subject) {
                add_logging(subject, "xpu");
                start_at(subject, 0);
                const auto guard = subject.runtime().device_guard(hip(1));
                for (const Device& wrong : {xpu(), xpu(2)}) {
                  const ScopedTrace row(to_text(wrong));
                  expect_error([&] { guard.set_device(wrong); }, ErrorKind::kInternal);
                  expect_devices(guard, hip(0), hip(1));
                  expect_equal(device_now(subject), 1);
                }
                guard.set_device(hip(2));
                guard.leave();
                expect_equal(device_now(subject), 0);
              });

  conformance("resetting_a_guard_of_one_type_is_setting_it", {"GRD-004"}, [](Session& subject) {
    start_at(subject, 0);
    const auto guard = subject.runtime().device_guard(hip(1));
    guard.reset_device(hip(2));
    expect_devices(guard, hip(0), hip(2));
    guard.reset_device(hip());
    expect_devices(guard, hip(0), hip(2));
    guard.leave();
    expect_calls(subject, {"exch(1)", "set(2)", "uset(0)"});
  });

  conformance("resetting_to_another_type_restores_the_old_one_first", {"GRD-005"},
              [](Session& subject) {
                add_logging(subject, "xpu");
                start_at(subject, 0);
                const auto guard = subject.runtime().device_guard(hip(1), {.is_virtual = true});
                subject.sim().log("backend");
                guard.reset_device(xpu(2));
                expect_list(subject.sim().log("backend"), {"hip.set(0)", "xpu.exch(2)"});
                expect_devices(guard, xpu(0), xpu(2));
                expect_equal(device_now(subject, "hip"), 0);
                expect_equal(device_now(subject, "xpu"), 2);
                subject.sim().log("backend");
                guard.leave();
                expect_list(subject.sim().log("backend"), {"xpu.uset(0)"});
                expect_equal(device_now(subject, "xpu"), 0);
              });

  conformance("resetting_within_one_type_keeps_what_is_restored", {"GRD-004", "GRD-005"},
              [](Session& subject) {
                start_at(subject, 0);
                const auto guard = subject.runtime().device_guard(hip(1), {.is_virtual = true});
                guard.reset_device(hip(2));
                expect_devices(guard, hip(0), hip(2));
                guard.leave();
                expect_equal(device_now(subject), 0);
              });

  conformance("resetting_to_another_type_without_an_index_does_nothing", {"GRD-005"},
              [](Session& subject) {
                add_logging(subject, "xpu");
                start_at(subject, 0);
                const auto guard = subject.runtime().device_guard(hip(1), {.is_virtual = true});
                subject.sim().log("backend");
                guard.reset_device(xpu());
                expect_list(subject.sim().log("backend"), {});
                expect_devices(guard, hip(0), hip(1));
                expect_equal(device_now(subject), 1);
                guard.leave();
                expect_equal(device_now(subject), 0);
              });

  conformance(
      "resetting_to_a_missing_type_restores_and_says_nothing_of_it", {"GRD-006"},
      [](Session& subject) {
        start_at(subject, 0);
        const auto guard = subject.runtime().device_guard(hip(1), {.is_virtual = true});
        expect_error([&] { guard.reset_device({"mps", 2}); }, ErrorKind::kError, {"mps devices"});
        expect_devices(guard, hip(0), hip(1));
        expect_equal(device_now(subject), 0);
        guard.leave();
        expect_equal(device_now(subject), 0);
      })
      .only(Deviations::kCompat);

  conformance("resetting_to_a_missing_type_changes_nothing", {"GRD-006"}, [](Session& subject) {
    start_at(subject, 0);
    const auto guard = subject.runtime().device_guard(hip(1), {.is_virtual = true});
    subject.sim().log("backend");
    expect_error([&] { guard.reset_device({"mps", 2}); }, ErrorKind::kError, {"mps devices"});
    expect_list(subject.sim().log("backend"), {});
    expect_devices(guard, hip(0), hip(1));
    expect_equal(device_now(subject), 1);
    guard.leave();
    expect_equal(device_now(subject), 0);
  }).only(Deviations::kStrict);

  conformance("what_is_changed_behind_its_back_it_does_not_see", {"GRD-007"}, [](Session& subject) {
    start_at(subject, 0);
    const auto guard = subject.runtime().device_guard(hip(1));
    subject.runtime().set_device(hip(5));
    expect_devices(guard, hip(0), hip(1));
    expect_equal(device_now(subject), 5);
    guard.leave();
    expect_equal(device_now(subject), 0);
  });

  conformance("an_exception_leaves_the_scope_as_the_end_does", {"GRD-008"}, [](Session& subject) {
    start_at(subject, 0);
    const Block enter = subject.block([](Session& s) { s.runtime().device_guard(hip(3)); });
    const Block body = subject.block([](Session& s) {
      s.send("raise", {{"kind", "value"}, {"message", "inside"}});
    });
    expect_error([&] { subject.scope(enter, body); }, ErrorKind::kValue, {"inside"});
    expect_calls(subject, {"exch(3)", "uset(0)"});
    expect_equal(device_now(subject), 0);
  });

  on_cuda("a_guard_that_cannot_enter_is_none", {"GRD-008"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.set_device(subject.device(1));
    const Device beyond{"cuda", static_cast<int>(r.device_count()) + 3};
    expect_error([&] { r.device_guard(beyond); }, ErrorKind::kError);
    expect_at(r.get_device(), subject.device(1));
    expect_equal(r.peek_last_error(), 0);
    r.set_device(subject.device(0));
  });

  on_cuda("setting_a_device_that_is_not_there_raises_and_restores_later", {"GRD-003", "GRD-008"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const Device beyond{"cuda", static_cast<int>(r.device_count()) + 3};
            const auto guard = r.device_guard(subject.device(1));
            expect_error([&] { guard.set_device(beyond); }, ErrorKind::kError);
            expect_devices(guard, subject.device(0), subject.device(1));
            expect_at(r.get_device(), subject.device(1));
            guard.leave();
            expect_at(r.get_device(), subject.device(0));
          });

  on_cuda("a_failure_at_the_end_is_a_warning", {"GRD-009"}, [](Session& subject) {
    const auto r = subject.runtime();
    for (const int index : {0, 1}) {
      r.kernel({.stream = r.default_stream(subject.device(index))});
      r.synchronize_device(subject.device(index));
    }
    const auto guard = r.device_guard(subject.device(1));
    subject.sim().faults({{.call = "set_device", .code = 400, .occurrence = 0}});
    guard.leave();
    expect_warning(subject.warnings(), "UserWarning", {"CUDA warning"});
    subject.sim().faults({});
    expect_equal(r.peek_last_error(), 0);
  });

  on_cuda("restoring_a_device_makes_no_context", {"GRD-009"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto guard = r.device_guard(subject.device(1));
            r.kernel();
            r.synchronize_device();
            subject.sim().log();
            guard.leave();
            expect_equal(count_calls(subject, "set_device"), 0);
            expect_equal(subject.sim().contexts(), {1});
            expect_at(r.get_device(), subject.device(0));
            r.kernel();
            r.synchronize_device();
            expect_equal(subject.sim().contexts(), {0, 1});
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("restoring_a_device_that_is_in_use_sets_it", {"GRD-009"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.kernel();
    r.synchronize_device();
    const auto guard = r.device_guard(subject.device(1));
    subject.sim().log();
    guard.leave();
    expect_equal(count_calls(subject, "set_device"), 1);
    expect_at(r.get_device(), subject.device(0));
  });

  conformance("a_bare_index_is_enough_for_a_known_type", {"GRD-010"}, [](Session& subject) {
    start_at(subject, 0);
    const auto guard = subject.runtime().device_guard(hip(1), {.index = true});
    expect_devices(guard, hip(0), hip(1));
    guard.leave();
    expect_calls(subject, {"exch(1)", "uset(0)"});
  });

  conformance("a_guard_of_one_type_takes_no_other", {"GRD-010"}, [](Session& subject) {
    add_logging(subject, "xpu");
    start_at(subject, 0);
    expect_error([&] { subject.runtime().device_guard(xpu(1), {.of = "hip"}); },
                 ErrorKind::kInternal);
    expect_list(subject.sim().log("backend"), {});
    const auto guard = subject.runtime().device_guard(hip(1), {.of = "hip"});
    guard.leave();
  });

  conformance(
      "a_guard_of_one_type_takes_no_other_without_an_index", {"GRD-010"}, [](Session& subject) {
        add_logging(subject, "xpu");
        start_at(subject, 0);
        const auto make = [&] { return subject.runtime().device_guard(xpu(), {.of = "hip"}); };
        if (is_strict(subject)) return expect_error(make, ErrorKind::kInternal);
        const auto guard = make();
        expect_devices(guard, hip(0), hip(0));
        guard.leave();
      });

  conformance("one_that_looks_up_needs_a_backend", {"GRD-010", "GRD-025"}, [](Session& subject) {
    expect_error(
        [&] {
          subject.runtime().device_guard({"mps", 0}, {.is_virtual = true});
        },
        ErrorKind::kError, {"not linked with support for", "mps devices"});
  });
}

}  // namespace assay::suites
