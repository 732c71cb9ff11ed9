// Guards of the current stream of one device.
#include "suites/runtime/guards/stream_guards.hpp"

namespace assay::suites {

CASES("runtime/stream_guard") {
  conformance("it_enters_the_device_and_then_the_stream", {"GRD-012"}, [](Session& subject) {
    start_streams(subject);
    const auto guard = subject.runtime().stream_guard(stream_at(subject, 1, 2));
    expect_calls(subject, {"exch(1)", "gs(0)", "xs(1:2)"});
    expect_equal(device_now(subject), 1);
    expect_streams(subject, {7, 2, 13});
    subject.sim().log("backend");
    guard.leave();
    expect_calls(subject, {"xs(1:11)", "uset(0)"});
    expect_equal(device_now(subject), 0);
    expect_streams(subject, {7, 11, 13});
  });

  conformance("its_original_stream_is_that_of_the_original_device", {"GRD-013"},
              [](Session& subject) {
                start_streams(subject);
                const auto guard = subject.runtime().stream_guard(stream_at(subject, 1, 2));
                expect_guarded(guard, {hip(0), 7}, {hip(1), 2});
                guard.leave();
                expect_streams(subject, {7, 11, 13});
              });

  conformance("a_guard_inside_sees_the_outer_stream", {"GRD-013", "GRD-017"}, [](Session& subject) {
    start_streams(subject);
    const auto outer = subject.runtime().stream_guard(stream_at(subject, 1, 2));
    const auto inner = subject.runtime().stream_guard(stream_at(subject, 2, 3));
    expect_guarded(inner, {hip(1), 2}, {hip(2), 3});
    inner.leave();
    expect_streams(subject, {7, 2, 13});
    outer.leave();
    expect_streams(subject, {7, 11, 13});
  });

  conformance(
      "resetting_on_one_device_changes_the_stream_alone", {"GRD-014"}, [](Session& subject) {
        start_streams(subject);
        const auto guard = subject.runtime().stream_guard(stream_at(subject, 0, 2));
        guard.reset_stream(stream_at(subject, 0, 3));
        expect_guarded(guard, {hip(0), 7}, {hip(0), 3});
        guard.leave();
        expect_calls(subject, {"exch(0)", "gs(0)", "xs(0:2)", "xs(0:3)", "xs(0:7)", "uset(0)"});
        expect_streams(subject, {7, 11, 13});
      });

  conformance("resetting_to_another_device_restores_the_old_one_first", {"GRD-015"},
              [](Session& subject) {
                start_streams(subject);
                const auto guard = subject.runtime().stream_guard(stream_at(subject, 1, 2));
                subject.sim().log("backend");
                guard.reset_stream(stream_at(subject, 2, 3));
                expect_calls(subject, {"xs(1:11)", "set(2)", "xs(2:3)"});
                expect_streams(subject, {7, 11, 3});
                expect_equal(device_now(subject), 2);
                expect_guarded(guard, {hip(0), 7}, {hip(2), 3});
                subject.sim().log("backend");
                guard.reset_stream(stream_at(subject, 0, 4));
                expect_calls(subject, {"xs(2:13)", "set(0)", "xs(0:4)"});
                expect_streams(subject, {4, 11, 13});
                subject.sim().log("backend");
                guard.leave();
                expect_calls(subject, {"xs(0:7)", "uset(0)"});
                expect_streams(subject, {7, 11, 13});
              });

  conformance("resetting_twice_on_another_device_restores_its_first_stream", {"GRD-015"},
              [](Session& subject) {
                start_streams(subject);
                const auto guard = subject.runtime().stream_guard(stream_at(subject, 0, 2));
                guard.reset_stream(stream_at(subject, 1, 3));
                guard.reset_stream(stream_at(subject, 1, 4));
                expect_streams(subject, {7, 4, 13});
                guard.reset_stream(stream_at(subject, 0, 5));
                expect_streams(subject, {5, 11, 13});
                guard.reset_stream(stream_at(subject, 1, 6));
                expect_streams(subject, {7, 6, 13});
                guard.leave();
                expect_streams(subject, {7, 11, 13});
                expect_equal(device_now(subject), 0);
              });

  conformance("changes_behind_its_back", {"GRD-016"}, [](Session& subject) {
    start_streams(subject);
    const auto r = subject.runtime();
    const auto guard = r.stream_guard(stream_at(subject, 1, 2));
    r.exchange_stream(stream_at(subject, 1, 99));
    r.exchange_stream(stream_at(subject, 3, 55));
    r.set_device(hip(3));
    guard.leave();
    expect_equal(current_id(subject, hip(1)), 11);
    expect_equal(current_id(subject, hip(3)), 55);
    expect_equal(device_now(subject), 0);
  });

  conformance("nested_guards_restore_in_reverse", {"GRD-017"}, [](Session& subject) {
    start_streams(subject);
    const auto r = subject.runtime();
    const auto a = r.stream_guard(stream_at(subject, 1, 2));
    const auto b = r.stream_guard(stream_at(subject, 2, 3));
    const auto c = r.stream_guard(stream_at(subject, 1, 9));
    expect_streams(subject, {7, 9, 3});
    c.leave();
    expect_streams(subject, {7, 2, 3});
    expect_equal(device_now(subject), 2);
    b.leave();
    expect_streams(subject, {7, 2, 13});
    expect_equal(device_now(subject), 1);
    a.leave();
    expect_streams(subject, {7, 11, 13});
    expect_equal(device_now(subject), 0);
  });

  conformance("an_exception_restores_both", {"GRD-008", "GRD-012"}, [](Session& subject) {
    start_streams(subject);
    const auto stream = stream_at(subject, 1, 2);
    const Block enter = subject.block([&](Session& s) { s.runtime().stream_guard(stream); });
    const Block body = subject.block([](Session& s) {
      s.send("raise", {{"kind", "error"}, {"message", "inside"}});
    });
    expect_error([&] { subject.scope(enter, body); }, ErrorKind::kError, {"inside"});
    expect_streams(subject, {7, 11, 13});
    expect_equal(device_now(subject), 0);
  });

  on_cuda("streams_of_two_devices_come_back", {"GRD-012", "GRD-013"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto on_0 = r.pool_stream({.device = subject.device(0)});
    const auto on_1 = r.pool_stream({.device = subject.device(1)});
    const auto inner = r.pool_stream({.device = subject.device(1)});
    r.set_current_stream(on_0);
    r.set_current_stream(on_1);
    const auto guard = r.stream_guard(inner);
    expect_at(r.get_device(), subject.device(1));
    expect_same(r.current_stream().value(), inner.value());
    expect_same(r.current_stream(subject.device(0)).value(), on_0.value());
    expect_guarded(guard, on_0.value(), inner.value());
    guard.leave();
    expect_at(r.get_device(), subject.device(0));
    expect_same(r.current_stream(subject.device(0)).value(), on_0.value());
    expect_same(r.current_stream(subject.device(1)).value(), on_1.value());
  });

  on_cuda("resetting_works_on_devices_of_cuda", {"GRD-014", "GRD-015"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto a = r.pool_stream({.device = subject.device(0)});
    const auto b = r.pool_stream({.device = subject.device(1)});
    const auto c = r.pool_stream({.device = subject.device(1)});
    const auto before = r.pool_stream({.device = subject.device(1)});
    r.set_current_stream(before);
    const auto guard = r.stream_guard(a);
    guard.reset_stream(b);
    guard.reset_stream(c);
    expect_value(r.current_stream(subject.device(0)).value(), subject.device(0), 0);
    expect_same(r.current_stream().value(), c.value());
    expect_at(r.get_device(), subject.device(1));
    guard.leave();
    expect_same(r.current_stream(subject.device(1)).value(), before.value());
    expect_value(r.current_stream().value(), subject.device(0), 0);
  });

  on_cuda("setting_an_external_stream_inside_is_undone", {"GRD-012", "GRD-016"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto pool = r.pool_stream();
            const auto external = r.raw_stream().stream;
            r.set_current_stream(external);
            const auto guard = r.stream_guard(pool);
            r.set_current_stream(r.default_stream());
            guard.leave();
            expect_same(r.current_stream().value(), external.value());
          });

  conformance("a_stream_of_no_device_is_refused", {"GRD-022"}, [](Session& subject) {
    start_streams(subject);
    const auto stream = subject.runtime().stream(hip(), 3);
    expect_error([&] { subject.runtime().stream_guard(stream); }, ErrorKind::kError, {"-1"});
    expect_streams(subject, {7, 11, 13});
    expect_equal(device_now(subject), 0);
  }).only(Deviations::kStrict);

  on_cuda("a_stream_without_an_index_is_refused", {"GRD-022"}, [](Session& subject) {
    const auto stream = subject.runtime().stream(cuda_any(), 3);
    expect_error([&] { subject.runtime().stream_guard(stream); }, ErrorKind::kError, {"-1"});
    expect_value(subject.runtime().current_stream().value(), subject.device(), 0);
  }).only(Deviations::kStrict);

  on_cuda("a_stream_that_cannot_be_set_leaves_the_device", {"GRD-023"}, [](Session& subject) {
    const auto r = subject.runtime();
    const Device beyond{"cuda", static_cast<int>(r.device_count()) + 2};
    const auto stream = r.stream(beyond, 0);
    r.set_device(subject.device(1));
    expect_error([&] { r.stream_guard(stream); }, ErrorKind::kError);
    expect_at(r.get_device(), subject.device(1));
    expect_value(r.current_stream().value(), subject.device(1), 0);
    r.set_device(subject.device(0));
  }).only(Deviations::kStrict);

  on_cuda("a_guard_over_several_changes_all_or_nothing", {"GRD-023"}, [](Session& subject) {
    const auto r = subject.runtime();
    const Device beyond{"cuda", static_cast<int>(r.device_count()) + 2};
    const auto good = r.pool_stream({.device = subject.device(1)});
    const auto bad = r.stream(beyond, 0);
    expect_error([&] { r.multi_stream_guard({good, bad}); }, ErrorKind::kError);
    expect_value(r.current_stream(subject.device(1)).value(), subject.device(1), 0);
    expect_at(r.get_device(), subject.device(0));
  }).only(Deviations::kStrict);

  on_cuda("a_failing_first_use_leaves_the_device", {"GRD-023"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.stream(subject.device(1), 3);
            subject.sim().faults({{.call = "priority_range", .code = 400}});
            expect_error([&] { r.stream_guard(stream); }, ErrorKind::kDevice);
            expect_at(r.get_device(), subject.device(0));
            expect_value(r.current_stream(subject.device(1)).value(), subject.device(1), 0);
          })
      .only(Deviations::kStrict)
      .fresh();
}

}  // namespace assay::suites
