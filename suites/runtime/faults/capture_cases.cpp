// What a capture does not permit (FLT-016): each is of its capture alone.
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

StreamObject capturing(Session& subject) {
  const auto stream = pool_on(subject);
  subject.runtime().capture_begin(stream);
  return stream;
}

/// Nothing sticks: the device does what it did before.
void expect_healthy(Session& subject) {
  const auto stream = subject.runtime().pool_stream();
  subject.runtime().kernel({.stream = stream});
  stream.synchronize();
  expect_equal(subject.runtime().peek_last_error(), 0);
}

}  // namespace

CASES("runtime/failing_captures") {
  on_cuda("a_capturing_stream_cannot_be_queried", {"FLT-016", "STR-029"}, [](Session& subject) {
    const auto stream = capturing(subject);

    expect_device_error(
        subject, [&] { stream.query(); }, 900);

    expect_equal(subject.runtime().capture_status(stream), "invalidated");
    expect_healthy(subject);
  });

  on_cuda("a_capturing_stream_cannot_be_waited_for", {"FLT-016", "STR-029"}, [](Session& subject) {
    const auto stream = capturing(subject);

    expect_device_error(
        subject, [&] { stream.synchronize(); }, 900);

    expect_equal(subject.runtime().capture_status(stream), "invalidated");
    expect_healthy(subject);
  });

  on_cuda("an_invalidated_capture_refuses_work_until_it_is_ended", {"FLT-016"},
          [](Session& subject) {
            const auto stream = capturing(subject);
            expect_device_error(
                subject, [&] { stream.query(); }, 900);

            expect_device_error(
                subject, [&] { subject.runtime().kernel({.stream = stream}); }, 901);
            expect_device_error(
                subject, [&] { subject.runtime().capture_end(stream); }, 901);

            expect_equal(subject.runtime().capture_status(stream), "none");
            subject.runtime().kernel({.stream = stream});
            stream.synchronize();
            subject.runtime().capture_begin(stream);
            subject.runtime().capture_end(stream);
          });

  on_cuda("a_stream_that_joined_must_come_back_before_the_end", {"FLT-016"}, [](Session& subject) {
    const auto stream = capturing(subject);
    const auto other = pool_on(subject);
    const auto event = subject.runtime().event();
    event.record(stream);
    event.block(other);
    subject.runtime().kernel({.stream = other});

    expect_device_error(
        subject, [&] { subject.runtime().capture_end(stream); }, 904);

    expect_healthy(subject);
  });

  on_cuda("a_stream_that_came_back_is_no_hindrance", {"FLT-016"}, [](Session& subject) {
    const auto stream = capturing(subject);
    const auto other = pool_on(subject);
    const auto there = subject.runtime().event();
    const auto back = subject.runtime().event();
    there.record(stream);
    there.block(other);
    subject.runtime().kernel({.stream = other});
    back.record(other);
    back.block(stream);

    subject.runtime().capture_end(stream);

    expect_healthy(subject);
  });

  on_cuda("a_capture_cannot_wait_for_work_outside", {"FLT-016"}, [](Session& subject) {
    const auto outside = pool_on(subject);
    const auto event = subject.runtime().event();
    event.record(outside);
    const auto stream = capturing(subject);

    expect_device_error(
        subject, [&] { event.block(stream); }, 905);
  });

  on_cuda(
      "the_legacy_stream_cannot_depend_on_a_capture", {"FLT-016", "STR-029"}, [](Session& subject) {
        const auto blocking = subject.runtime().raw_stream({.blocking = true}).stream;
        subject.runtime().capture_begin(blocking);

        expect_device_error(
            subject,
            [&] { subject.runtime().kernel({.stream = subject.runtime().default_stream()}); }, 906);

        expect_equal(subject.runtime().capture_status(blocking), "active");
        subject.runtime().capture_end(blocking);
        expect_healthy(subject);
      });

  on_cuda("the_host_cannot_ask_for_an_event_of_a_capture", {"FLT-016"}, [](Session& subject) {
    const auto stream = capturing(subject);
    const auto event = subject.runtime().event();
    event.record(stream);

    expect_device_error(
        subject, [&] { event.query(); }, 907);
    expect_device_error(
        subject, [&] { event.synchronize(); }, 907);
  });
}

}  // namespace assay::suites
