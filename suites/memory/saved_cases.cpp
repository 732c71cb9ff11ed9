// The memory of what a backward pass needs: it is given back when the pass is over (MEM-021).
#include "harness/suite/clients/autograd.hpp"
#include "harness/suite/clients/core.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

std::int64_t used(Session& subject) {
  return subject.memory().stats(subject.device(0))["allocated_bytes.all.current"];
}

}  // namespace

CASES("memory/saved") {
  on_cuda(
      "what_a_function_saved_is_given_back_by_a_backward", {"MEM-021", "CAST-701"},
      [](Session& subject) {
        const std::int64_t size = 2 * kMiB;
        const Callable forward = subject.callback("forward", subject.block([&](Session& inner) {
          inner.send("core.to", {{"tensor", Ref{"$0"}}, {"copy", true}}, "out");
          inner.send(
              "core.empty",
              {{"shape", List{{size}}}, {"dtype", Dtype::kUint8}, {"device", subject.device(0)}},
              "kept");
          inner.send("value", {{"value", List{{Ref{"out"}, Ref{"kept"}}}}});
        }));
        const Callable backward = subject.callback("backward", subject.block([](Session& inner) {
          inner.send("value", {{"value", Ref{"$0"}}});
        }));
        const Ref function = subject.autograd().function(forward, backward);
        const Ref leaf = subject.core().leaf(on(f32({1}), subject.device(0)));
        const Ref gradient = subject.core().tensor(on(f32({1}), subject.device(0)));
        const std::int64_t before = used(subject);
        const Ref out = subject.autograd().apply(function, {leaf});
        expect_true(used(subject) - before >= size, "what is saved takes memory");

        subject.autograd().backward(out, gradient, true);
        expect_true(used(subject) - before >= size, "a graph that is retained keeps it");
        subject.autograd().backward(out, gradient);

        expect_true(used(subject) - before < size, "a graph that is used up does not");
      });
}

}  // namespace assay::suites
