// The streams of a backward pass: on which a node runs, and which gradients it waits for.
#include "suites/runtime/backward.hpp"

namespace assay::suites::backward {
namespace {

/// Two nodes are in one stream. The gradient of the second comes from a stream behind a gate;
/// `look` receives the gate, and the event after the first node.
void with_late_gradient(Session& subject,
                        const std::function<void(const GateObject&, const EventObject&)>& look) {
  const auto reader = pool_on(subject);
  const auto late = pool_on(subject);
  const auto event = subject.runtime().event();
  const Ref waiting = leaf_on(subject, subject.device(0));
  const Ref other = leaf_on(subject, subject.device(0));
  const Ref gradient = word_on(subject, subject.device(0), 3);
  const Ref early = apply_in(subject, reader, copying(subject), {waiting});
  const Ref independent = apply_in(subject, reader, marking(subject, event), {other});
  const Ref between = apply_in(subject, late, copying(subject), {early});
  const Ref out = apply_in(subject, reader, joining(subject), {between, independent});

  const auto gate =
      backward_behind(subject, late, subject.runtime().default_stream(), out, gradient);
  look(gate, event);
  gate.open();
  subject.runtime().default_stream().synchronize();
  expect_gradient(subject, waiting, 3);
  expect_gradient(subject, other, 3);
}

}  // namespace

CASES("runtime/backward") {
  on_cuda("a_node_runs_in_the_stream_of_its_forward", {"STR-035"}, [](Session& subject) {
    const auto forward = pool_on(subject);
    const auto caller = pool_on(subject);
    const auto event = subject.runtime().event();
    const Ref leaf = leaf_on(subject, subject.device(0));
    const Ref gradient = word_on(subject, subject.device(0), 3);
    const Ref out = apply_in(subject, forward, marking(subject, event), {leaf});

    const auto gate = backward_behind(subject, forward, caller, out, gradient);

    expect_false(event.query(), "backward is behind the gate");
    gate.open();
    caller.synchronize();
    expect_true(event.query(), "backward has run");
    expect_gradient(subject, leaf, 3);
  });

  on_cuda("the_device_of_the_node_is_current", {"STR-035"}, [](Session& subject) {
    const auto event = subject.runtime().event();
    const Ref leaf = leaf_on(subject, subject.device(1));
    const Ref gradient = word_on(subject, subject.device(1), 3);
    const Ref out = subject.autograd().apply(marking(subject, event), {leaf});

    subject.autograd().backward(out, gradient);

    expect_at(event.info().device, subject.device(1));
    expect_at(subject.runtime().get_device(), subject.device(0));
  });

  on_cuda("other_devices_have_their_default_streams", {"STR-035"}, [](Session& subject) {
    const auto elsewhere = pool_on(subject, 1);
    const auto event = subject.runtime().event();
    const Ref leaf = leaf_on(subject, subject.device(0));
    const Ref gradient = word_on(subject, subject.device(0), 3);
    const Ref function = copying(subject, [&](Session& inner) {
      inner.send("runtime.current_stream", {{"device", subject.device(1)}}, "current");
      inner.send("runtime.record", {{"event", event}, {"stream", Ref{"current"}}});
    });
    const Ref out = subject.autograd().apply(function, {leaf});

    const auto gate = backward_behind(subject, elsewhere, elsewhere, out, gradient);
    event.synchronize();

    gate.expect_not_expired();
    gate.open();
    expect_equal(current_id(subject, subject.device(1)), elsewhere.id());
  });

  on_cuda("the_first_gradient_is_waited_for", {"STR-036"}, [](Session& subject) {
    const auto forward = pool_on(subject);
    const auto caller = pool_on(subject);
    const Ref leaf = leaf_on(subject, subject.device(0));
    const Ref gradient = word_on(subject, subject.device(0), 3);
    const Ref out = apply_in(subject, forward, copying(subject), {leaf});
    subject.runtime().set_current_stream(caller);
    const auto gate = subject.runtime().gate(caller);
    subject.runtime().store(gradient, 4.0);

    subject.autograd().backward(out, gradient);

    expect_false(forward.query(), "the forward's stream waits");
    gate.open();
    caller.synchronize();
    expect_gradient(subject, leaf, 4);
  });

  on_cuda("a_gradient_from_another_stream_is_waited_for", {"STR-036"}, [](Session& subject) {
    const auto first = pool_on(subject);
    const auto second = pool_on(subject);
    const auto event = subject.runtime().event();
    const Ref leaf = leaf_on(subject, subject.device(0));
    const Ref gradient = word_on(subject, subject.device(0), 3);
    const Ref between = apply_in(subject, first, marking(subject, event), {leaf});
    const Ref out = apply_in(subject, second, copying(subject), {between});

    const auto gate =
        backward_behind(subject, second, subject.runtime().default_stream(), out, gradient);

    expect_false(event.query(), "the first node waits for the second");
    gate.open();
    subject.runtime().default_stream().synchronize();
    expect_gradient(subject, leaf, 3);
  });

  on_cuda("a_gradient_is_waited_for_when_it_is_read", {"STR-036"}, [](Session& subject) {
    with_late_gradient(subject, [](const GateObject& gate, const EventObject& event) {
      event.synchronize();
      gate.expect_not_expired();
    });
  }).since(Release::k2_11);

  on_cuda("a_gradient_is_waited_for_when_it_arrives", {"STR-036"}, [](Session& subject) {
    with_late_gradient(subject, [](const GateObject&, const EventObject& event) {
      expect_false(event.query(), "the other node of the stream waits, too");
    });
  }).until(Release::k2_4);
}

}  // namespace assay::suites::backward
