// Custom functions and checkpoints without autocast.
#include <map>

#include "suites/autograd/graph.hpp"

namespace assay::suites::graph {
namespace {

/// An operator that saves a tensor, and whose backward reads the first size of `fuse`, which raises
/// if it has none.
Ref fragile(Session& subject, const std::string& fuse) {
  Command reading;
  reading.verb = "core.size";
  reading.with = {{"tensor", Ref{fuse}}, {"dim", 0}};
  const Callable forward = subject.callback(
      subject.fresh_name("forward"),
      {calling("aten::relu", {Ref{"$0"}}, "computed"), giving(List{{Ref{"computed"}, f32({1})}})});
  const Callable backward = subject.callback(
      subject.fresh_name("backward"), {reading, calling("aten::stack", {Ref{"$saved"}, 0}, "kept"),
                                       calling("aten::sum", {Ref{"kept"}}, "factor"),
                                       calling("aten::mul.Tensor", {Ref{"$0"}, Ref{"factor"}})});
  return subject.autograd().function(forward, backward);
}

/// A function that hands its input on, with this backward.
Ref handing_on(Session& subject, std::vector<Command> backward) {
  const Callable forward =
      subject.callback(subject.fresh_name("forward"), {calling("aten::relu", {Ref{"$0"}})});
  return subject.autograd().function(
      forward, subject.callback(subject.fresh_name("backward"), std::move(backward)));
}

void bind(Session& subject, const std::string& name, const TensorValue& value) {
  subject.send("core.tensor", {{"value", value}}, name);
}

void replace(Session& subject, const std::string& name, const TensorValue& value) {
  subject.drop(name);
  bind(subject, name, value);
}

TensorValue blown() {
  TensorValue value = f32({0});
  value.shape = {};
  return value;
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

  conformance("it_gets_zeros_where_no_gradient_arrives", {"SCL-718"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({3, 4}));
    const Ref adds_one =
        handing_on(subject, {calling("aten::add.Tensor", {Ref{"$0"}, f32({1, 1})})});
    const Ref gives_none = handing_on(subject, {giving({})});
    const Ref made = subject.autograd().apply(adds_one, {weight});

    subject.autograd().backward(subject.autograd().apply(gives_none, {made}), f32({5, 5}));

    expect_grad(subject, weight, f32({1, 1}));
  });

  conformance("an_operator_that_no_gradient_reaches_is_used_up", {"SCL-718"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({3}));
    const Ref gives_none = handing_on(subject, {giving({})});
    const Ref made = call(subject, "aten::mul.Tensor", {weight, weight});
    const Ref last = subject.autograd().apply(gives_none, {made});

    subject.autograd().backward(last, f32({1}), true);
    subject.autograd().backward(last, f32({1}));

    expect_true(subject.core().grad(weight).is_none(), "no gradient arrived");
    expect_error([&] { subject.autograd().backward(made, f32({1})); }, ErrorKind::kError,
                 {"second time"});
  });

  conformance("what_came_in_comes_out_as_another_object", {"SCL-720"}, [](Session& subject) {
    const Callable forward = subject.callback("forward", {giving(Ref{"$0"})});
    const Callable backward =
        subject.callback("backward", {calling("aten::mul.Tensor", {Ref{"$0"}, f32({2})})});
    const Ref function = subject.autograd().function(forward, backward);
    const Ref weight = leaf(subject, f32({3}));

    const Ref out = subject.autograd().apply(function, {weight});

    expect_true(out.name != weight.name, "it is another object");
    expect_true(requires_grad(subject, out), "it has a history");
    subject.autograd().backward(out, f32({5}));
    expect_grad(subject, weight, f32({10}));
    subject.autograd().backward(weight, f32({1}));
    expect_grad(subject, weight, f32({11}));
  });

  conformance("a_gradient_of_another_device_is_refused", {"SCL-719"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({3}));
    const Ref elsewhere = subject.core().empty(
        {.shape = {1}, .dtype = Dtype::kFloat32, .device = Device{"meta", -1}});
    const Ref lost = handing_on(subject, {giving(elsewhere)});
    const Ref out = call(subject, "aten::neg", {weight});

    expect_error([&] { subject.autograd().backward(out, elsewhere); }, ErrorKind::kError);
    expect_error(
        [&] { subject.autograd().backward(subject.autograd().apply(lost, {weight}), f32({1})); },
        ErrorKind::kError);

    expect_true(subject.core().grad(weight).is_none(), "nothing was accumulated");
    subject.autograd().backward(call(subject, "aten::neg", {weight}), f32({2}));
    expect_grad(subject, weight, f32({-2}));
  });

  on_cuda(
      "a_gradient_moves_to_its_tensor_only_without_dimensions", {"SCL-719"}, [](Session& subject) {
        for (const int device : {0, 1}) {
          const Ref row = leaf(subject, on(f32({3}), subject.device(device)));
          const Ref out = call(subject, "aten::neg", {row});
          for (const Device& other : {Device{"cpu", -1}, subject.device(1 - device)}) {
            expect_error([&] { subject.autograd().backward(out, on(f32({2}), other)); },
                         ErrorKind::kError);
          }
          expect_true(subject.core().grad(row).is_none(), "nothing was accumulated");
          const Ref weight =
              leaf(subject, on(scalar_of(Dtype::kFloat32, 3), subject.device(device)));
          subject.autograd().backward(call(subject, "aten::neg", {weight}),
                                      on(scalar_of(Dtype::kFloat32, 2), {"cpu", -1}));
          expect_grad(subject, weight, on(scalar_of(Dtype::kFloat32, -2), subject.device(device)));
        }
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

  conformance("a_checkpoint_may_get_none_beside_tensors", {"CAST-708"}, [](Session& subject) {
    const Callable body =
        subject.callback("body", {calling("aten::mul.Tensor", {Ref{"$0"}, Ref{"$2"}})});
    const Ref left = leaf(subject, f32({2}));
    const Ref right = leaf(subject, f32({3}));

    const Ref out = subject.autograd().checkpoint(body, {left, subject.core().undefined(), right});
    subject.autograd().backward(out, f32({1}));

    expect_grad(subject, left, f32({3}));
    expect_grad(subject, right, f32({2}));
  });

  conformance("a_checkpoint_warned_when_it_computed_again", {"CAST-708"},
              [](Session& subject) {
                const Callable body =
                    subject.callback("body", {calling("aten::mul.Tensor", {Ref{"$0"}, Ref{"$0"}})});
                const Ref weight = leaf(subject, f32({2}));
                const Ref out = subject.autograd().checkpoint(body, {weight});
                expect_true(subject.warnings().empty(), "the forward does not warn");

                subject.autograd().backward(out, f32({1}));

                expect_warning(subject.warnings(), "FutureWarning", {"torch.cpu.amp.autocast"});
              })
      .since(Release::k2_4)
      .until(Release::k2_4)
      .only(Deviations::kCompat);

  conformance("a_pass_that_fails_leaves_what_was_complete", {"SCL-717"}, [](Session& subject) {
    bind(subject, "fuse", blown());
    const Ref function = fragile(subject, "fuse");
    const Ref early = leaf(subject, f32({2}));
    const Ref late = leaf(subject, f32({3}));
    const Ref inner = subject.autograd().apply(function, {late});
    const Ref out = call(subject, "aten::mul.Tensor", {inner, early});

    expect_error([&] { subject.autograd().backward(out, f32({1})); }, ErrorKind::kIndex);

    expect_grad(subject, early, f32({3}));
    expect_true(subject.core().grad(late).is_none(), "nothing came that far");
    replace(subject, "fuse", f32({0}));
    expect_error([&] { subject.autograd().backward(out, f32({1})); }, ErrorKind::kError);
    const Ref again = call(subject, "aten::mul.Tensor", {inner, early});
    subject.autograd().backward(again, f32({1}));
    expect_grad(subject, early, f32({6}));
    expect_grad(subject, late, f32({2}));
  });

  conformance(
      "what_a_failed_pass_leads_to_later_is_not_complete", {"SCL-717"}, [](Session& subject) {
        bind(subject, "fuse", blown());
        const Ref function = fragile(subject, "fuse");
        const Ref shared = leaf(subject, f32({2}));
        const Ref inner = subject.autograd().apply(function, {shared});
        const Ref out = call(subject, "aten::mul.Tensor", {inner, shared});

        expect_error([&] { subject.autograd().backward(out, f32({1}), true); }, ErrorKind::kIndex);

        expect_true(subject.core().grad(shared).is_none(), "its other part is missing");
        replace(subject, "fuse", f32({0}));
        subject.autograd().backward(out, f32({1}));
        expect_grad(subject, shared, f32({4}));
      });

  conformance(
      "a_request_that_fails_accumulates_nothing_and_can_be_made_again", {"SCL-717"},
      [](Session& subject) {
        bind(subject, "fuse", blown());
        const Ref function = fragile(subject, "fuse");
        const Ref early = leaf(subject, f32({2}));
        const Ref late = leaf(subject, f32({3}));
        const Ref inner = subject.autograd().apply(function, {late});
        const Ref out =
            call(subject, "aten::add.Tensor",
                 {call(subject, "aten::neg", {inner}), call(subject, "aten::neg", {early})});
        const auto ask = [&] { return subject.autograd().grad(out, {early, late}, f32({1})); };

        expect_error([&] { ask(); }, ErrorKind::kIndex);

        expect_true(subject.core().grad(early).is_none(), "it was a request");
        replace(subject, "fuse", f32({0}));
        const auto found = ask();
        expect_bits(found.at(0), f32({-1}));
        expect_bits(found.at(1), f32({-1}));
      });
}

}  // namespace assay::suites::graph
