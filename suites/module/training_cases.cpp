// Complete training steps: module, optimizer, autocast, scaler and backward together.
#include "harness/suite/clients/autocast.hpp"
#include "harness/suite/clients/autograd.hpp"
#include "harness/suite/clients/scaler.hpp"
#include "suites/module/network.hpp"

namespace assay::suites {
namespace {

constexpr double kRate = 0.25;
constexpr double kScale = 8;

/// A case with scaling: release 1.13 does not scale CPU tensors (SCL-115).
CaseOptions training(std::string_view name, std::vector<std::string> clauses,
                     std::function<void(Session&)> body, Where where = Where::current()) {
  return conformance(name, std::move(clauses), std::move(body), where)
      .except(Release::k1_13, DeviceRules::kCpu);
}

/// A network that was created in float64 on the CPU and converted, with optimizer and scaler.
struct Training {
  Session& subject;
  Built built;
  OptimizerHandle optimizer;
  ScalerHandle scaler;

  /// A pass through the network in a bfloat16 region; returns the loss.
  Ref forward() const;
  /// zero_grad, forward, scale, backward. `spoils`: makes one gradient infinite.
  Ref until_step(bool spoils) const;
  void step() const {
    scaler.step(optimizer);
    scaler.update();
  }
  void expect_parameters(const Network& wanted) const;
};

Ref Training::forward() const {
  const std::string output = subject.fresh_name("output");
  const std::string loss = subject.fresh_name("loss");
  const std::string type = subject.device().type;
  subject.scope(subject.autocast().region({.device = type, .dtype = Dtype::kBfloat16}),
                subject.block([&](Session&) {
                  built.model.forward({built.input}, output);
                  built.loss.forward({Ref{output}, built.target}, loss);
                }));
  expect_dtype(subject, {output}, Dtype::kBfloat16);
  return {loss};
}

Ref Training::until_step(bool spoils) const {
  optimizer.zero_grad();
  const Ref loss = forward();
  const std::string scaled = subject.fresh_name("scaled");
  scaler.scale(loss, scaled);
  subject.autograd().backward(Ref{scaled});
  if (spoils) subject.core().fill_(grad_of(subject, built.parameters[1]), Value(double{kInf}));
  return loss;
}

void Training::expect_parameters(const Network& wanted) const {
  const Matrix* matrices[] = {&wanted.first_weight, &wanted.first_bias, &wanted.second_weight,
                              &wanted.second_bias};
  for (std::size_t i = 0; i < built.parameters.size(); ++i) {
    const ScopedTrace at{"parameter " + std::to_string(i)};
    TensorValue value = tensor(*matrices[i]);
    if (i % 2 == 1) value = shaped(value, {matrices[i]->columns});
    expect_bits(subject.core().read(built.parameters[i]), value);
  }
}

Training begin(Session& subject, std::string mode = "plain") {
  const Built built = build(subject, trainable_network(), kHost);
  built.model.move("double");
  built.model.to({.dtype = Dtype::kFloat32, .device = subject.device()});
  const std::vector<Value> parameters(built.parameters.begin(), built.parameters.end());
  Training made{subject, built,
                subject.optim().sgd({.params = parameters, .lr = kRate, .mode = std::move(mode)}),
                subject.scaler().make({.init_scale = kScale, .growth_interval = 2})};
  made.built.input = subject.core().to(built.input, {.device = subject.device()});
  made.built.target = subject.core().to(built.target, {.device = subject.device()});
  return made;
}

void expect_loss(Session& subject, const Ref& loss, const Network& network) {
  expect_bits(subject.core().read(loss), scalar_of(Dtype::kFloat32, network.loss()));
}

}  // namespace

CASES("module/training") {
  training("a_skipped_step_between_two_others", {"SCL-713"}, [](Session& subject) {
    const Training run = begin(subject);
    const Network first = trainable_network();
    const Network second = stepped(first, kRate);

    expect_loss(subject, run.until_step(false), first);
    run.step();
    run.expect_parameters(second);
    expect_equal(run.scaler.get_scale(), kScale);
    expect_equal(run.scaler.get_growth_tracker(), 1);

    expect_loss(subject, run.until_step(true), second);
    run.step();
    run.expect_parameters(second);
    expect_equal(run.scaler.get_scale(), kScale / 2);
    expect_equal(run.scaler.get_growth_tracker(), 0);

    expect_loss(subject, run.until_step(false), second);
    run.step();
    run.expect_parameters(stepped(second, kRate));
    expect_equal(run.scaler.get_scale(), kScale / 2);
    expect_equal(run.scaler.get_growth_tracker(), 1);
  });

  training("gradients_are_scaled_until_they_are_unscaled", {"SCL-713"}, [](Session& subject) {
    const Training run = begin(subject);
    const std::vector<Matrix> wanted = gradients_of(trainable_network());

    run.until_step(false);
    for (const double scale : {kScale, 1.0}) {
      const ScopedTrace at{scale == 1 ? "unscaled" : "scaled"};
      if (scale == 1) run.scaler.unscale_(run.optimizer);
      for (const std::size_t weight : {std::size_t{0}, std::size_t{2}}) {
        Matrix scaled = wanted[weight];
        for (double& value : scaled.values) value *= scale;
        expect_bits(subject.core().read(grad_of(subject, run.built.parameters[weight])),
                    tensor(scaled));
      }
    }
    run.step();

    run.expect_parameters(stepped(trainable_network(), kRate));
  });

  training("each_region_casts_six_times", {"SCL-713"}, [](Session& subject) {
    const Training run = begin(subject);
    for (int step = 0; step < 2; ++step) {
      const ScopedTrace at{"step " + std::to_string(step)};
      const std::int64_t before = subject.autocast().stat("conversions");

      run.optimizer.zero_grad();
      const Ref loss = run.forward();

      expect_equal(subject.autocast().stat("conversions") - before, 6);
      subject.autograd().backward(loss);
      run.optimizer.step();
    }
  });

  training("nothing_of_a_region_is_left_behind", {"SCL-713"}, [](Session& subject) {
    const Training run = begin(subject);
    const std::string type = subject.device().type;

    run.until_step(false);
    run.step();

    expect_equal(subject.autocast().is_enabled(type), false);
    expect_equal(subject.autograd().is_grad_enabled(), true);
    expect_equal(subject.autocast().nesting(1), 1);
    expect_equal(subject.autocast().nesting(-1), 0);
  }).since(Release::k2_4);

  training("the_weight_cache_is_empty_after_a_region", {"SCL-713"}, [](Session& subject) {
    const Training run = begin(subject);

    run.until_step(false);

    expect_equal(subject.autocast().stat("cache_size"), 0);
  });

  training("only_a_plain_step_reads_from_the_device", {"SCL-713"},
           [](Session& subject) {
             for (const char* mode : {"plain", "fused"}) {
               const ScopedTrace at{mode};
               const Training run = begin(subject, mode);
               run.until_step(false);
               subject.count();

               run.scaler.step(run.optimizer);

               expect_equal(subject.counted("host_reads"), std::string(mode) == "plain" ? 1 : 0);
               subject.count(false);
               run.scaler.update();
               run.expect_parameters(stepped(trainable_network(), kRate));
               expect_equal(to_text(subject.core().current_device()), to_text(subject.device()));
             }
           })
      .since(Release::k2_4)
      .only(DeviceRules::kCuda);

  training("a_gradient_penalty_is_differentiated_with_its_loss", {"SCL-705"}, [](Session& subject) {
    const ScalerHandle scaler = subject.scaler().make({.init_scale = kScale});
    const Ref weight = subject.core().leaf(f32({1.5, -2}));
    const auto squares = [&](const Ref& of) {
      return subject.core().op_ref("sum", {subject.core().op_ref("mul", {of, of})});
    };
    const Ref loss = squares(weight);
    scaler.scale(loss, "scaled");
    subject.send("autograd.grad",
                 {{"output", Ref{"scaled"}}, {"inputs", List{{weight}}}, {"create_graph", true}},
                 "grads");
    expect_bits(subject.core().read(Ref{"grads.0"}), f32({24, -32}));

    const Ref grad = subject.core().op_ref("mul", {Ref{"grads.0"}, 1 / scaler.get_scale()});
    const Ref total = subject.core().op_ref("add", {loss, squares(grad)});
    scaler.scale(total, "total");
    subject.autograd().backward(Ref{"total"});

    // The gradient of w² + (2w)², scaled by 8: 80 w.
    expect_bits(subject.core().read(grad_of(subject, weight)), f32({120, -160}));
    const OptimizerHandle optimizer = subject.optim().sgd({.params = {weight}, .lr = 0.125});
    scaler.step(optimizer);
    expect_bits(subject.core().read(weight), f32({-0.375, 0.5}));
  });
}

}  // namespace assay::suites
