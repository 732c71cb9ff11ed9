// Training inside regions: stale weights, and backward inside and outside a region.
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

/// The outputs of a weight of 1 that is decreased by its gradient of 1 after each product.
std::vector<double> outputs_of_three_steps(
    Session& subject, const Target& target, const Ref& weight,
    const std::function<void(std::function<void()>)>& region) {
  std::vector<double> outputs;
  const auto step = [&] {
    const Ref product = call_ref(subject, "aten::mm", {matrix(target, Dtype::kFloat32), weight});
    outputs.push_back(number_of(subject, product));
    subject.autograd().backward(product, matrix(target, target.low));
    const double now = number_of(subject, weight);
    const double gradient = number_of(subject, subject.core().grad(weight));
    subject.core().fill_(weight, now - gradient);
    subject.core().set_grad(weight, {});
  };
  for (int i = 0; i < 3; ++i) region(step);
  return outputs;
}

struct Outcome {
  Ref tensor;
  Value gradient;
};

/// The kernels of a backward pass inside the region.
std::vector<KernelRun> runs_of_backward(Session& subject, const Outcome& outcome, Block region) {
  return traced(subject, [&](Session& inner) {
    Command scope;
    scope.verb = "scope";
    scope.enter = std::move(region);
    Command backward;
    backward.verb = "autograd.backward";
    backward.with = {{"tensor", outcome.tensor}, {"gradient", outcome.gradient}};
    scope.body = {backward};
    inner.send(scope);
  });
}

/// The dtypes of the products in a backward pass.
std::vector<std::string> products_of_backward(Session& subject, const Target& target,
                                              const Ref& product, Block region) {
  const Outcome outcome{product, matrix(target, Dtype::kFloat32)};
  return reached_by(runs_of_backward(subject, outcome, std::move(region)), "aten::mm");
}

}  // namespace

CASES("autocast/step") {
  conformance("one_long_region_trains_on_stale_weights", {"CAST-505"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
    std::vector<double> outputs;

    inside(subject, target, [&] {
      outputs = outputs_of_three_steps(subject, target, weight, [](const auto& step) { step(); });
    });

    expect_true(outputs == std::vector<double>{1, 1, 1}, "the outputs are stale");
    expect_equal(number_of(subject, weight), -2.0);
  });

  conformance("a_region_for_each_step_does_not", {"CAST-505", "CAST-603"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));

    const std::vector<double> outputs = outputs_of_three_steps(
        subject, target, weight, [&](const auto& step) { inside(subject, target, step); });

    expect_true(outputs == std::vector<double>{1, 0, -1}, "the outputs are fresh");
    expect_equal(number_of(subject, weight), -2.0);
  });

  conformance("backward_inside_a_region_is_cast_again", {"CAST-420"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref left = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Ref right = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Ref product = call_ref(subject, "aten::mm", {left, right});

    const auto runs = products_of_backward(subject, target, product,
                                           subject.autocast().region({.device = target.type}));

    const std::string low = letters_of({target.low, target.low});
    expect_equal(static_cast<std::int64_t>(runs.size()), 2);
    for (const std::string& run : runs) expect_equal(run, low);
    expect_dtype(subject, subject.core().grad(left), Dtype::kFloat32);
    expect_dtype(subject, subject.core().grad(right), Dtype::kFloat32);
  });

  conformance(
      "backward_of_batches_inside_a_region_is_cast_too", {"CAST-420"}, [](Session& subject) {
        const Target target = target_of(subject);
        const auto leaf = [&] {
          return subject.core().leaf(of_shape(target, Dtype::kFloat32, {1, 1, 1}));
        };
        const Ref left = leaf();
        const Ref right = leaf();
        const Ref product = call_ref(subject, "aten::bmm", {left, right});

        const auto runs =
            runs_of_backward(subject, {product, of_shape(target, Dtype::kFloat32, {1, 1, 1})},
                             subject.autocast().region({.device = target.type}));

        const std::string low = letters_of({target.low, target.low});
        expect_true(reached_by(runs, "aten::bmm") == std::vector<std::string>{low, low},
                    "the products of the backward are not both low");
        expect_dtype(subject, subject.core().grad(left), Dtype::kFloat32);
        expect_dtype(subject, subject.core().grad(right), Dtype::kFloat32);
      });

  conformance("backward_outside_of_it_is_not", {"CAST-420"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref left = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Ref right = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Ref product = call_ref(subject, "aten::mm", {left, right});

    const auto runs = products_of_backward(subject, target, product, {});

    expect_equal(static_cast<std::int64_t>(runs.size()), 2);
    for (const std::string& run : runs) expect_equal(run, "ff");
  });

  conformance(
      "backward_runs_in_the_types_that_forward_saved", {"CAST-420", "CAST-103"},
      [](Session& subject) {
        const Target target = target_of(subject);
        const Ref left = subject.core().leaf(matrix(target, Dtype::kFloat32));
        const Ref right = subject.core().leaf(matrix(target, Dtype::kFloat32));
        Ref product;
        inside(subject, target, [&] { product = call_ref(subject, "aten::mm", {left, right}); });

        const Value gradient = matrix(target, target.low);
        const auto runs =
            traced(subject, [&](Session& inner) { inner.autograd().backward(product, gradient); });

        const std::string low = letters_of({target.low, target.low});
        for (const std::string& run : reached_by(runs, "aten::mm")) {
          expect_equal(run, low);
        }
        expect_dtype(subject, subject.core().grad(left), Dtype::kFloat32);
      });
}

}  // namespace assay::suites
