// Calls that a capture does not permit (FLT-016), which affect only that capture.
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

StreamObject capturing(Session& subject) {
  const auto stream = pool_on(subject);
  subject.runtime().capture_begin(stream);
  return stream;
}

/// The device still works. No capture may be in progress.
void expect_healthy(Session& subject) {
  const auto stream = subject.runtime().pool_stream();
  subject.runtime().kernel({.stream = stream});
  stream.synchronize();
  expect_equal(subject.runtime().peek_last_error(), 0);
}

/// The graph is empty, and its stream can be used again.
void expect_spoilt(Session& subject, const StreamObject& stream) {
  expect_equal(subject.runtime().capture_status(stream), "invalidated");
  expect_device_error(
      subject, [&] { subject.runtime().capture_end(stream); }, 901);
  expect_equal(subject.runtime().capture_status(stream), "none");
  expect_healthy(subject);
}

/// Queries and waits of a host during a capture, by name.
using Question = std::function<void()>;
std::vector<std::pair<std::string, Question>> questions(const StreamObject& stream,
                                                        const EventObject& event) {
  return {{"stream query", [&] { stream.query(); }},
          {"stream synchronize", [&] { stream.synchronize(); }},
          {"event query", [&] { event.query(); }},
          {"event synchronize", [&] { event.synchronize(); }}};
}

}  // namespace

CASES("runtime/failing_captures") {
  on_cuda("a_capturing_stream_cannot_be_queried", {"FLT-016", "STR-029"}, [](Session& subject) {
    const auto stream = capturing(subject);

    for (int i = 0; i < 2; ++i) {
      expect_device_error(
          subject, [&] { stream.query(); }, 900);
    }

    expect_spoilt(subject, stream);
  });

  on_cuda("a_capturing_stream_cannot_be_waited_for", {"FLT-016", "STR-029"}, [](Session& subject) {
    const auto stream = capturing(subject);

    for (int i = 0; i < 2; ++i) {
      expect_device_error(
          subject, [&] { stream.synchronize(); }, 900);
    }

    expect_spoilt(subject, stream);
  });

  on_cuda("a_global_capture_lets_nothing_else_be_asked", {"FLT-016"}, [](Session& subject) {
    const auto other = pool_on(subject);
    const auto event = subject.runtime().event();
    event.record(other);
    event.synchronize();
    for (const auto& [name, question] : questions(other, event)) {
      const ScopedTrace place(name);
      const auto stream = pool_on(subject);
      subject.runtime().capture_begin(stream, "global");

      expect_device_error(subject, question, 900);

      expect_spoilt(subject, stream);
    }
  });

  on_cuda("a_relaxed_capture_lets_everything_else_be_asked", {"FLT-016"}, [](Session& subject) {
    const auto other = pool_on(subject);
    const auto event = subject.runtime().event();
    event.record(other);
    event.synchronize();
    const auto stream = pool_on(subject);
    subject.runtime().capture_begin(stream, "relaxed");

    for (const auto& [name, question] : questions(other, event)) {
      const ScopedTrace place(name);
      question();
      expect_equal(subject.runtime().capture_status(stream), "active");
    }

    subject.runtime().capture_end(stream);
    expect_healthy(subject);
  });

  on_cuda("two_captures_cannot_be_joined", {"FLT-016"}, [](Session& subject) {
    const auto first = pool_on(subject);
    const auto second = pool_on(subject);
    for (const StreamObject& stream : {first, second}) {
      subject.runtime().capture_begin(stream, "relaxed");
    }
    const auto event = subject.runtime().event();
    event.record(first);

    expect_device_error(
        subject, [&] { event.block(second); }, 902);

    for (const StreamObject& stream : {first, second}) {
      expect_equal(subject.runtime().capture_status(stream), "invalidated");
      expect_device_error(
          subject, [&] { subject.runtime().capture_end(stream); }, 901);
    }
    expect_healthy(subject);
  });

  on_cuda("a_stream_that_joined_cannot_end_it", {"FLT-016"}, [](Session& subject) {
    const auto stream = capturing(subject);
    const auto other = subject.runtime().pool_stream();
    const auto event = subject.runtime().event();
    event.record(stream);
    event.block(other);

    expect_device_error(
        subject, [&] { subject.runtime().capture_end(other); }, 903);

    expect_spoilt(subject, stream);
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
    const auto other = pool_on(subject);
    const auto stream = capturing(subject);
    const auto event = subject.runtime().event();
    event.record(stream);
    event.block(other);
    subject.runtime().kernel({.stream = other});

    expect_device_error(
        subject, [&] { subject.runtime().capture_end(stream); }, 904);

    expect_equal(subject.runtime().capture_status(stream), "none");
    expect_healthy(subject);
  });

  on_cuda("a_stream_that_came_back_is_no_hindrance", {"FLT-016"}, [](Session& subject) {
    const auto other = pool_on(subject);
    const auto stream = capturing(subject);
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

  on_cuda("the_legacy_stream_cannot_depend_on_a_capture", {"FLT-016", "STR-029"},
          [](Session& subject) {
            const auto blocking = subject.runtime().raw_stream({.blocking = true}).stream;
            subject.runtime().capture_begin(blocking);

            expect_device_error(
                subject,
                [&] { subject.runtime().kernel({.stream = subject.runtime().default_stream()}); },
                906);

            expect_spoilt(subject, blocking);
          })
      .except(Release::k2_13, DeviceRules::kCuda);

  on_cuda("the_legacy_stream_cannot_wait_for_a_capture", {"FLT-016", "STR-029"},
          [](Session& subject) {
            const auto stream = capturing(subject);
            const auto event = subject.runtime().event();
            event.record(stream);

            expect_device_error(
                subject, [&] { event.block(subject.runtime().default_stream()); }, 906);

            expect_spoilt(subject, stream);
          });

  for (const bool query : {true, false}) {
    on_cuda(query ? "the_host_cannot_ask_for_an_event_of_a_capture"
                  : "the_host_cannot_wait_for_an_event_of_a_capture",
            {"FLT-016", "EVT-030"}, [query](Session& subject) {
              const auto stream = capturing(subject);
              const auto event = subject.runtime().event();
              event.record(stream);
              const auto ask = [&] { query ? void(event.query()) : event.synchronize(); };

              expect_device_error(subject, ask, 907);
              expect_device_error(subject, ask, 1);

              expect_spoilt(subject, stream);
              expect_device_error(subject, ask, 1);
            });
  }

  on_cuda("an_event_of_a_capture_that_is_over_is_invalid", {"EVT-030"}, [](Session& subject) {
    const auto stream = capturing(subject);
    const auto other = subject.runtime().pool_stream();
    const auto event = subject.runtime().event();
    event.record(stream);
    subject.runtime().capture_end(stream);

    expect_device_error(
        subject, [&] { event.query(); }, 1);
    expect_device_error(
        subject, [&] { event.synchronize(); }, 1);
    expect_device_error(
        subject, [&] { event.block(other); }, 1);

    event.record(other);
    event.synchronize();
    expect_true(event.query(), "it is an event like others again");
  });
}

}  // namespace assay::suites
