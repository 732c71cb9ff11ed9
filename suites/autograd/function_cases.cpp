// Custom functions and checkpoints without autocast.
#include <map>

#include "suites/autograd/graph.hpp"

namespace assay::suites::graph {
namespace {

Command calling(const std::string& op, std::vector<Value> args, std::string as = {}) {
  Command command;
  command.verb = "dispatch.call";
  command.with = {{"op", op}, {"args", List{std::move(args)}}};
  command.as = std::move(as);
  return command;
}

Command giving(Value value) {
  Command command;
  command.verb = "value";
  command.with = {{"value", std::move(value)}};
  return command;
}

}  // namespace

CASES("autograd/function") {
  conformance("backward_gets_the_gradient_and_what_was_saved", {"CAST-701"}, [](Session& subject) {
    const Callable forward = subject.callback("forward", {calling("aten::relu", {Ref{"$0"}}, "out"),
                                                          giving(List{{Ref{"out"}, f32({7})}})});
    const Callable backward =
        subject.callback("backward", {calling("aten::stack", {Ref{"$saved"}, 0}, "kept"),
                                      calling("aten::sum", {Ref{"kept"}}, "factor"),
                                      calling("aten::mul.Tensor", {Ref{"$0"}, Ref{"factor"}})});
    const Ref function = subject.autograd().function(forward, backward);
    const Ref weight = leaf(subject, f32({1}));

    const Ref out = subject.autograd().apply(function, {weight});
    subject.autograd().backward(out, f32({2}));

    expect_true(requires_grad(subject, out), "it has a history");
    expect_grad(subject, weight, f32({14}));
  });

  conformance("forward_runs_with_grad_mode_off", {"CAST-707"}, [](Session& subject) {
    Command asked;
    asked.verb = "autograd.is_grad_enabled";
    asked.as = "mode";
    const Callable forward =
        subject.callback("forward", {calling("aten::relu", {Ref{"$0"}}, "inner"), asked,
                                     calling("aten::relu", {Ref{"inner"}})});
    const Callable backward = subject.callback("backward", {giving(Ref{"$0"})});
    const Ref function = subject.autograd().function(forward, backward);
    const Ref weight = leaf(subject, f32({1}));

    const Ref out = subject.autograd().apply(function, {weight});
    subject.autograd().backward(out, f32({5}));

    // If inner operators were recorded, the gradient would still be correct, but not the node.
    const NodeInfo node = subject.autograd().node(out);
    expect_equal(node.next.at(0), "leaf");
    expect_grad(subject, weight, f32({5}));
  });

  conformance("a_checkpoint_computes_again_and_gives_the_same_gradient", {"CAST-708"},
              [](Session& subject) {
                const Callable body = subject.callback(
                    "body", {calling("aten::mul.Tensor", {Ref{"$0"}, Ref{"$0"}}, "square"),
                             calling("aten::mul.Tensor", {Ref{"square"}, Ref{"$0"}})});
                const Ref weight = leaf(subject, f32({2}));

                const Ref out = subject.autograd().checkpoint(body, {weight});
                subject.autograd().backward(out, f32({1}));

                expect_bits(subject.core().read(out), f32({8}));
                expect_grad(subject, weight, f32({12}));
              });

  conformance(
      "a_checkpoint_saves_its_arguments_itself", {"CAST-708", "CORE-14"},
      [](Session& subject) {
        subject.scope(subject.autograd().inference_mode(true), subject.block([](Session& inner) {
          inner.send("core.tensor", {{"value", f32({1})}}, "made");
        }));
        const Callable body = subject.callback("body", {calling("aten::relu", {Ref{"$0"}})});

        expect_error([&] { subject.autograd().checkpoint(body, {Ref{"made"}}); }, ErrorKind::kError,
                     {"inference tensors cannot be saved for backward"});
      })
      .since(Release::k2_4);

  conformance(
      "a_checkpoint_that_saves_nothing_computes_nothing_again", {"CAST-708"}, [](Session& subject) {
        Command doubled;
        doubled.verb = "core.op";
        doubled.with = {{"name", "mul"}, {"args", List{{Ref{"$0"}, 2}}}};
        const std::map<std::string, std::pair<Command, double>> bodies = {
            {"negated", {calling("aten::neg", {Ref{"$0"}}), -1}}, {"doubled", {doubled, 2}}};
        for (const auto& [name, one] : bodies) {
          const ScopedTrace at(name);
          const auto& [command, slope] = one;
          const Callable body = subject.callback(name, {command});
          const Ref weight = leaf(subject, f32({3}));
          const Ref out = subject.autograd().checkpoint(body, {weight});

          subject.autograd().backward(out, f32({1}));

          expect_true(subject.warnings().empty(), "nothing was computed");
          expect_grad(subject, weight, f32({slope}));
        }
      });
}

}  // namespace assay::suites::graph
