// Grad mode and inference mode: their effects, and which are thread-local.
#include "suites/autograd/graph.hpp"

namespace assay::suites::graph {

CASES("autograd/mode") {
  conformance("without_grad_mode_nothing_is_recorded", {"CAST-209", "CAST-503"},
              [](Session& subject) {
                const Ref weight = leaf(subject, f32({1, 2}));
                const std::string quiet = subject.fresh_name("quiet");

                with_grad_mode(subject, false, [&](Session& inner) {
                  inner.send("dispatch.call",
                             {{"op", "aten::mul.Tensor"}, {"args", List{{weight, weight}}}}, quiet);
                });

                expect_false(requires_grad(subject, Ref{quiet}), "nothing is recorded");
                expect_equal(subject.autograd().node(Ref{quiet}).kind, "none");
                expect_true(requires_grad(subject, weight), "the leaf still requires a gradient");
              });

  conformance("grad_mode_is_restored_also_after_an_error", {"CAST-503"}, [](Session& subject) {
    Command raise;
    raise.verb = "raise";
    raise.with = {{"kind", "value"}, {"message", "thrown inside"}};

    expect_error([&] { subject.scope(subject.autograd().grad_mode(false), {raise}); },
                 ErrorKind::kValue, {"thrown inside"});

    expect_true(subject.autograd().is_grad_enabled(), "grad mode is on again");
  });

  conformance("grad_mode_nests", {"CAST-508"}, [](Session& subject) {
    const auto replies = with_grad_mode(subject, false, [](Session& inner) {
      inner.autograd().is_grad_enabled();
      Command scope;
      scope.verb = "scope";
      scope.enter = inner.autograd().grad_mode(true);
      Command asked;
      asked.verb = "autograd.is_grad_enabled";
      scope.body = {asked};
      inner.send(scope);
      inner.autograd().is_grad_enabled();
    });

    expect_equal(field(replies.at(0), "result"), false);
    expect_equal(field(replies.at(1).replies.at(0), "result"), true);
    expect_equal(field(replies.at(2), "result"), false);
  });

  conformance("grad_mode_is_a_threads_own", {"CAST-503"}, [](Session& subject) {
    std::vector<Reply> seen;
    Command on;
    on.verb = "on";
    on.with = {{"thread", "other"}};
    Command asked;
    asked.verb = "autograd.is_grad_enabled";
    on.body = {asked};

    const auto replies = subject.scope(subject.autograd().grad_mode(false), {on});

    expect_equal(field(replies.at(0).replies.at(0), "result"), true);
  });

  conformance("inference_mode_makes_inference_tensors", {"CAST-509"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1, 2}));
    const std::string made = subject.fresh_name("made");
    Command multiply;
    multiply.verb = "dispatch.call";
    multiply.with = {{"op", "aten::mul.Tensor"}, {"args", List{{weight, weight}}}};
    multiply.as = made;
    Command asked;
    asked.verb = "autograd.is_inference_mode";

    const auto replies = subject.scope(subject.autograd().inference_mode(true), {multiply, asked});

    expect_equal(field(replies.at(1), "result"), true);
    expect_true(subject.autograd().is_inference(Ref{made}), "it is an inference tensor");
    expect_false(subject.autograd().is_inference(weight), "the weight is a normal tensor");
    expect_false(requires_grad(subject, Ref{made}), "nothing is recorded");
    expect_false(subject.autograd().is_inference_mode(), "inference mode is off again");
  });

  conformance(
      "grad_mode_inside_inference_mode_records_nothing", {"CAST-509"}, [](Session& subject) {
        const Ref weight = leaf(subject, f32({1, 2}));
        const std::string product = subject.fresh_name("product");
        const std::string wide = subject.fresh_name("wide");
        Command scope;
        scope.verb = "scope";
        scope.enter = subject.autograd().grad_mode(true);
        scope.body = {calling("aten::mul.Tensor", {weight, weight}, product)};
        Command to;
        to.verb = "core.to";
        to.as = wide;
        to.with = {{"tensor", weight}, {"dtype", Dtype::kFloat64}};
        scope.body.push_back(to);
        Command asked;
        asked.verb = "autograd.is_grad_enabled";
        scope.body.push_back(asked);

        const auto replies = subject.scope(subject.autograd().inference_mode(true), {scope});

        expect_equal(field(replies.at(0).replies.at(2), "result"), true);
        for (const std::string& made : {product, wide}) {
          const ScopedTrace at(made);
          expect_false(requires_grad(subject, Ref{made}), "nothing is recorded");
          expect_equal(subject.autograd().node(Ref{made}).kind, "none");
        }
      });
}

}  // namespace assay::suites::graph
