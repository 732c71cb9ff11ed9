// Guards of streams on several devices, or on none.
#include "suites/runtime/guards/stream_guards.hpp"

namespace assay::suites {

CASES("runtime/optional_stream_guard") {
  conformance("an_empty_one_does_nothing", {"GRD-018"}, [](Session& subject) {
    start_streams(subject);
    const auto guard = subject.runtime().optional_stream_guard();
    const GuardInfo info = guard.info();
    expect_false(info.original_stream || info.current_stream, "it has no stream");
    expect_calls(subject, {});
    subject.runtime().exchange_stream(stream_at(subject, 0, 4));
    guard.leave();
    expect_equal(current_id(subject, hip(0)), 4);
  });

  conformance("one_with_a_stream_is_a_guard", {"GRD-018"}, [](Session& subject) {
    start_streams(subject);
    const auto guard = subject.runtime().optional_stream_guard(stream_at(subject, 1, 2));
    expect_guarded(guard, {hip(0), 7}, {hip(1), 2});
    guard.leave();
    expect_calls(subject, {"exch(1)", "gs(0)", "xs(1:2)", "xs(1:11)", "uset(0)"});
  });

  conformance("it_begins_with_the_first_stream", {"GRD-018"}, [](Session& subject) {
    start_streams(subject);
    const auto guard = subject.runtime().optional_stream_guard();
    subject.runtime().set_device(hip(2));
    subject.sim().log("backend");
    guard.reset_stream(stream_at(subject, 1, 3));
    expect_guarded(guard, {hip(2), 13}, {hip(1), 3});
    guard.reset();
    expect_calls(subject, {"exch(1)", "gs(2)", "xs(1:3)", "xs(1:11)", "uset(2)"});
    expect_false(guard.info().current_stream.has_value(), "it has no stream");
    expect_equal(device_now(subject), 2);
    guard.leave();
    expect_streams(subject, {7, 11, 13});
  });

  conformance("a_second_stream_is_set_within_the_first_guard", {"GRD-018"}, [](Session& subject) {
    start_streams(subject);
    const auto guard = subject.runtime().optional_stream_guard(stream_at(subject, 0, 2));
    guard.reset_stream(stream_at(subject, 0, 3));
    guard.reset_stream(stream_at(subject, 1, 4));
    expect_guarded(guard, {hip(0), 7}, {hip(1), 4});
    guard.reset();
    expect_streams(subject, {7, 11, 13});
    guard.reset_stream(stream_at(subject, 2, 5));
    expect_streams(subject, {7, 11, 5});
    guard.leave();
    expect_streams(subject, {7, 11, 13});
  });
}

CASES("runtime/multi_stream_guard") {
  conformance("several_devices_at_once", {"GRD-019"}, [](Session& subject) {
    add_logging(subject, "hip");
    const auto guard =
        subject.runtime().multi_stream_guard({stream_at(subject, 0, 2), stream_at(subject, 1, 3)});
    expect_calls(subject, {"xs(0:2)", "xs(1:3)"});
    expect_equal(device_now(subject), 0);
    expect_streams(subject, {2, 3});
    subject.sim().log("backend");
    guard.leave();
    const Texts calls = backend_calls(subject);
    const Texts forward{"xs(0:0)", "xs(1:0)"};
    const Texts backward{"xs(1:0)", "xs(0:0)"};
    expect_true(calls == forward || calls == backward, "each is restored, and no device is set");
    expect_streams(subject, {0, 0});
  });

  conformance("pytorch_restores_in_the_order_of_the_list", {"GRD-019"}, [](Session& subject) {
    add_logging(subject, "hip");
    const auto guard =
        subject.runtime().multi_stream_guard({stream_at(subject, 0, 2), stream_at(subject, 1, 3)});
    guard.leave();
    expect_calls(subject, {"xs(0:2)", "xs(1:3)", "xs(0:0)", "xs(1:0)"});
  }).only(Deviations::kCompat);

  conformance("each_gets_its_own_stream_back", {"GRD-019"}, [](Session& subject) {
    start_streams(subject);
    const auto guard = subject.runtime().multi_stream_guard(
        {stream_at(subject, 2, 1), stream_at(subject, 0, 2), stream_at(subject, 1, 3)});
    expect_streams(subject, {2, 3, 1});
    guard.leave();
    expect_streams(subject, {7, 11, 13});
  });

  conformance("an_empty_list_asks_nobody", {"GRD-019"}, [](Session& subject) {
    start_streams(subject);
    const auto guard = subject.runtime().multi_stream_guard({});
    guard.leave();
    expect_calls(subject, {});
    expect_streams(subject, {7, 11, 13});
  });

  on_cuda("the_current_device_stays", {"GRD-019"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto a = r.pool_stream({.device = subject.device(0)});
    const auto b = r.pool_stream({.device = subject.device(1)});
    const auto guard = r.multi_stream_guard({b, a});
    expect_at(r.get_device(), subject.device(0));
    expect_same(r.current_stream(subject.device(0)).value(), a.value());
    expect_same(r.current_stream(subject.device(1)).value(), b.value());
    guard.leave();
    expect_value(r.current_stream(subject.device(0)).value(), subject.device(0), 0);
    expect_value(r.current_stream(subject.device(1)).value(), subject.device(1), 0);
  });

  conformance("types_cannot_be_mixed", {"GRD-020"}, [](Session& subject) {
    add_logging(subject, "xpu");
    start_streams(subject);
    const auto other = subject.runtime().stream(xpu(3), 3);
    expect_error(
        [&] {
          subject.runtime().multi_stream_guard(
              {stream_at(subject, 0, 2), stream_at(subject, 0, 1), other});
        },
        ErrorKind::kValue,
        {"Streams have a mix of device types",
         "stream 0 is on hip:0 while stream 2 is on device xpu:3"});
    expect_list(subject.sim().log("backend"), {});
    expect_error(
        [&] {
          subject.runtime().multi_stream_guard({stream_at(subject, 1, 2), other});
        },
        ErrorKind::kValue, {"stream 0 is on hip:1 while stream 1 is on device xpu:3"});
    expect_streams(subject, {7, 11, 13});
  });

  conformance("one_device_twice_ends_where_it_began", {"GRD-021"}, [](Session& subject) {
    add_logging(subject, "hip");
    const auto guard =
        subject.runtime().multi_stream_guard({stream_at(subject, 0, 2), stream_at(subject, 0, 3)});
    expect_streams(subject, {3});
    guard.leave();
    expect_streams(subject, {0});
  }).only(Deviations::kStrict);

  conformance("one_device_twice_ends_at_the_first_stream_of_the_list", {"GRD-021"},
              [](Session& subject) {
                add_logging(subject, "hip");
                const auto guard = subject.runtime().multi_stream_guard(
                    {stream_at(subject, 0, 2), stream_at(subject, 0, 3)});
                expect_streams(subject, {3});
                guard.leave();
                expect_streams(subject, {2});
              })
      .only(Deviations::kCompat);
}

}  // namespace assay::suites
