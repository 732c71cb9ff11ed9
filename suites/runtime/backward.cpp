// Helpers for cases of the streams of a backward pass.
#include "suites/runtime/backward.hpp"

namespace assay::suites::backward {
namespace {

/// Copies the argument, which needs no kernel.
Block copies(Session& subject, const std::function<void(Session&)>& besides = {}) {
  return subject.block([&](Session& inner) {
    inner.send("core.to", {{"tensor", Ref{"$0"}}, {"copy", true}}, "copy");
    if (besides) besides(inner);
    inner.send("value", {{"value", Ref{"copy"}}});
  });
}

}  // namespace

Ref copying(Session& subject, const std::function<void(Session&)>& in_backward) {
  const Callable forward = subject.callback(subject.fresh_name("forward"), copies(subject));
  const Callable backward =
      subject.callback(subject.fresh_name("backward"), copies(subject, in_backward));
  return subject.autograd().function(forward, backward);
}

Ref marking(Session& subject, const EventObject& event) {
  return copying(subject, [&](Session& inner) {
    inner.send("runtime.record", {{"event", event}});
  });
}

Ref joining(Session& subject) {
  const Callable forward = subject.callback(subject.fresh_name("forward"), copies(subject));
  const Callable backward =
      subject.callback(subject.fresh_name("backward"), subject.block([](Session& inner) {
        inner.send("value", {{"value", List{{Ref{"$0"}, Ref{"$0"}}}}});
      }));
  return subject.autograd().function(forward, backward);
}

Ref leaf_on(Session& subject, const Device& device) {
  TensorValue value = f32({1});
  value.device = device;
  const Ref leaf = subject.core().leaf(value);
  subject.runtime().synchronize_device(device);
  return leaf;
}

Ref apply_in(Session& subject, const StreamObject& stream, const Ref& function,
             const std::vector<Value>& arguments) {
  subject.runtime().set_current_stream(stream);
  return subject.autograd().apply(function, arguments);
}

GateObject backward_behind(Session& subject, const StreamObject& held, const StreamObject& caller,
                           const Ref& output, const Value& gradient) {
  subject.runtime().set_current_stream(caller);
  const auto gate = subject.runtime().gate(held);
  subject.autograd().backward(output, gradient);
  return gate;
}

void expect_gradient(Session& subject, const Ref& leaf, double wanted, Where where) {
  expect_bits(subject.core().grad(leaf), f32({static_cast<float>(wanted)}), where);
}

}  // namespace assay::suites::backward
