// wait_event of Python's two classes of streams.
#include "harness/suite/mistake.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

/// A stream behind a gate, with an event recorded in it.
struct Busy {
  StreamObject stream;
  GateObject gate;
  EventObject event;
};

Busy busy(Session& subject, EventObject event) {
  const auto stream = pool_on(subject);
  auto gate = subject.runtime().gate(stream);
  event.record(stream);
  return {stream, std::move(gate), std::move(event)};
}

void expect_held(Session& subject, const StreamObject& stream, const Busy& other) {
  subject.runtime().kernel({.stream = stream});
  expect_false(stream.query(), "it waits for the event");
  other.gate.open();
  stream.synchronize();
}

}  // namespace

CASES("runtime/wait_event") {
  on_cuda("a_stream_of_torch_waits_for_events_of_its_own_class", {"EVT-028"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.python_stream({.device = subject.device(), .generic = true});
    const Busy other = busy(subject, r.event({.api = "generic", .device = "cuda"}));

    r.wait_event(stream, other.event);

    expect_held(subject, stream, other);
  }).since(Release::k2_11);

  on_cuda("a_stream_of_torch_waits_for_events_of_torch_cuda", {"EVT-028"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.python_stream({.device = subject.device(), .generic = true});
            const Busy other = busy(subject, r.event({.api = "python"}));

            r.wait_event(stream, other.event);

            expect_held(subject, stream, other);
          })
      .since(Release::k2_11)
      .only(Deviations::kStrict);

  on_cuda("a_stream_of_torch_ignores_events_of_torch_cuda", {"EVT-028"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.python_stream({.device = subject.device(), .generic = true});
            const Busy other = busy(subject, r.event({.api = "python"}));

            r.wait_event(stream, other.event);

            r.kernel({.stream = stream});
            stream.synchronize();
            expect_equal(other.gate.state(), "closed");
            expect_false(other.event.query(), "the event is still to come");
            other.gate.open();
            shows_mistake(
                "wait_event of a torch.Stream does nothing with an event of torch.cuda, and says "
                "nothing, so that work on it runs before what it should wait for");
          })
      .since(Release::k2_11)
      .only(Deviations::kCompat);

  on_cuda("a_stream_of_torch_cuda_waits_for_events_of_both", {"EVT-028"}, [](Session& subject) {
    const auto r = subject.runtime();
    for (const EventOptions& options :
         {EventOptions{.api = "python"}, EventOptions{.api = "generic", .device = "cuda"}}) {
      const auto stream = r.python_stream({.device = subject.device()});
      const Busy other = busy(subject, r.event(options));

      r.wait_event(stream, other.event);

      expect_held(subject, stream, other);
    }
  }).since(Release::k2_11);
}

}  // namespace assay::suites
