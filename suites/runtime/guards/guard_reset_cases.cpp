// Optional guards, and resets after an error (GRD-011, GRD-018).
#include "suites/runtime/guards/stream_guards.hpp"

namespace assay::suites {
namespace {

void raise(Session& subject) { subject.send("raise", {{"kind", "value"}, {"message", "inside"}}); }

/// Enters `guard`, calls `body`, and raises an error.
void raise_within(Session& subject, const std::function<GuardObject(Session&)>& guard,
                  const std::function<void(Session&, const GuardObject&)>& body) {
  std::string name;
  const Block enter = subject.block([&](Session& s) { name = guard(s).name(); });
  const Block inside = subject.block([&](Session& s) {
    body(s, GuardObject(s, name));
    raise(s);
  });
  expect_error([&] { subject.scope(enter, inside); }, ErrorKind::kValue, {"inside"});
}

}  // namespace

CASES("runtime/optional_guard_resets") {
  conformance("a_device_comes_back_when_the_body_raises", {"GRD-011", "GRD-008"},
              [](Session& subject) {
                start_at(subject, 4);
                raise_within(
                    subject, [](Session& s) { return s.runtime().optional_device_guard(hip(1)); },
                    [](Session&, const GuardObject& guard) { guard.reset_device(hip(2)); });
                expect_equal(device_now(subject), 4);
              });

  conformance("a_device_guard_that_was_reset_does_nothing_when_the_body_raises",
              {"GRD-011", "GRD-008"}, [](Session& subject) {
                start_at(subject, 4);
                raise_within(
                    subject, [](Session& s) { return s.runtime().optional_device_guard(hip(1)); },
                    [](Session& s, const GuardObject& guard) {
                      guard.reset();
                      s.runtime().set_device(hip(3));
                    });
                expect_equal(device_now(subject), 3);
              });

  conformance("a_device_guard_can_be_reset_after_a_body_that_raised", {"GRD-011"},
              [](Session& subject) {
                start_at(subject, 4);
                const auto guard = subject.runtime().optional_device_guard(hip(1));
                raise_within(
                    subject, [](Session& s) { return s.runtime().optional_device_guard(hip(2)); },
                    [](Session&, const GuardObject& inner) { inner.reset_device(hip(3)); });
                expect_devices(guard, hip(4), hip(1));
                expect_equal(device_now(subject), 1);

                guard.reset();

                expect_equal(device_now(subject), 4);
                expect_devices(guard, std::nullopt, std::nullopt);
                guard.reset();
                subject.runtime().set_device(hip(5));
                guard.leave();
                expect_equal(device_now(subject), 5);
              });

  conformance("a_device_guard_that_could_not_begin_stays_empty", {"GRD-011", "GRD-008"},
              [](Session& subject) {
                start_at(subject, 4);
                const auto guard = subject.runtime().optional_device_guard();

                expect_error([&] { guard.reset_device(xpu(1)); }, ErrorKind::kError);

                expect_devices(guard, std::nullopt, std::nullopt);
                guard.reset_device(hip(2));
                expect_devices(guard, hip(4), hip(2));
                guard.reset();
                expect_equal(device_now(subject), 4);
              });

  conformance("a_stream_comes_back_when_the_body_raises", {"GRD-018", "GRD-008"},
              [](Session& subject) {
                start_streams(subject);
                const auto first = stream_at(subject, 1, 2);
                const auto second = stream_at(subject, 2, 3);
                raise_within(
                    subject, [&](Session& s) { return s.runtime().optional_stream_guard(first); },
                    [&](Session&, const GuardObject& guard) { guard.reset_stream(second); });
                expect_streams(subject, {7, 11, 13});
                expect_equal(device_now(subject), 0);
              });

  conformance("a_stream_guard_that_was_reset_does_nothing_when_the_body_raises",
              {"GRD-018", "GRD-008"}, [](Session& subject) {
                start_streams(subject);
                const auto first = stream_at(subject, 1, 2);
                const auto later = stream_at(subject, 1, 5);
                raise_within(
                    subject, [&](Session& s) { return s.runtime().optional_stream_guard(first); },
                    [&](Session& s, const GuardObject& guard) {
                      guard.reset();
                      s.runtime().exchange_stream(later);
                    });
                expect_streams(subject, {7, 5, 13});
              });

  conformance(
      "a_stream_guard_can_be_reset_after_a_body_that_raised", {"GRD-018"}, [](Session& subject) {
        start_streams(subject);
        const auto guard = subject.runtime().optional_stream_guard(stream_at(subject, 0, 2));
        const auto inner = stream_at(subject, 0, 3);
        raise_within(
            subject, [&](Session& s) { return s.runtime().optional_stream_guard(inner); },
            [](Session&, const GuardObject&) {});
        expect_streams(subject, {2, 11, 13});

        guard.reset();

        expect_streams(subject, {7, 11, 13});
        expect_false(guard.info().current_stream.has_value(), "it has no stream");
        guard.reset();
        guard.leave();
        expect_streams(subject, {7, 11, 13});
      });

  conformance("a_stream_guard_that_could_not_begin_stays_empty", {"GRD-018", "GRD-008"},
              [](Session& subject) {
                start_streams(subject);
                const auto guard = subject.runtime().optional_stream_guard();
                const auto nowhere = subject.runtime().stream(xpu(0), 2);

                expect_error([&] { guard.reset_stream(nowhere); }, ErrorKind::kError);

                expect_false(guard.info().current_stream.has_value(), "it has no stream");
                guard.reset_stream(stream_at(subject, 1, 4));
                expect_streams(subject, {7, 4, 13});
                guard.reset();
                expect_streams(subject, {7, 11, 13});
              });
}

}  // namespace assay::suites
