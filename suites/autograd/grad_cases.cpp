// The gradient of a tensor: which assignments are valid, and which tensors have one.
#include "suites/autograd/graph.hpp"

namespace assay::suites::graph {
namespace {

void expect_refused(Session& subject, const char* what, const Value& grad) {
  const ScopedTrace at{what};
  const Ref weight = leaf(subject, f32({1, 2}));

  expect_error([&] { subject.core().set_grad(weight, grad); }, ErrorKind::kError,
               {"assign", "grad"});

  expect_true(subject.core().grad(weight).is_none(), "no gradient is assigned");
}

}  // namespace

CASES("autograd/grad") {
  conformance("one_of_the_tensors_kind_is_taken", {"CORE-11"}, [](Session& subject) {
    for (const bool requires_grad : {true, false}) {
      const ScopedTrace at{requires_grad ? "a leaf" : "a constant"};
      const Ref plain = subject.core().tensor(f32({1, 2}));
      const Ref tensor = requires_grad ? leaf(subject, f32({1, 2})) : plain;

      subject.core().set_grad(tensor, f32({3, 4}));
      expect_grad(subject, tensor, f32({3, 4}));
      subject.core().set_grad(tensor, {});
      expect_true(subject.core().grad(tensor).is_none(), "the gradient is gone");
    }
  });

  conformance("that_of_a_sum_is_expanded_and_that_of_a_mean_is_dense", {"CORE-22"},
              [](Session& subject) {
                const auto gradient = [&](const char* op) {
                  const Ref x = leaf(subject, f32({1, 2}));
                  return subject.autograd().grad(subject.core().op_ref(op, {x}), {x}).at(0);
                };
                TensorValue expanded = f32({1, 1});
                expanded.strides = {0};

                expect_bits(gradient("sum"), expanded);
                expect_bits(gradient("mean"), f32({0.5, 0.5}));
              })
      .since(Release::k2_11);

  conformance("one_that_nobody_else_holds_is_taken_as_it_is", {"CORE-13"}, [](Session& subject) {
    const std::vector<std::pair<const char*, std::vector<Value>>> rows = {
        {"neg", {}}, {"relu", {}}, {"mul", {2.0}}, {"mean", {}}};
    for (const auto& [op, more] : rows) {
      const ScopedTrace at{op};
      const Ref weight = leaf(subject, f32({1, 2}));
      std::vector<Value> args{weight};
      args.insert(args.end(), more.begin(), more.end());
      const Ref made = subject.core().op_ref("sum", {subject.core().op_ref(op, args)});
      subject.autograd().backward(made);

      const Ref grad{subject.fresh_name("grad")};
      subject.send("core.grad", {{"tensor", weight}}, grad.name);

      expect_equal(subject.core().info(grad).version, 0);
    }
  });

  conformance("one_of_another_kind_is_refused", {"CORE-11"}, [](Session& subject) {
    expect_refused(subject, "another size", f32({1, 2, 3}));
    expect_refused(subject, "another shape", shaped(f32({1, 2}), {2, 1}));
    expect_refused(subject, "another dtype", f16({1, 2}));
    expect_refused(subject, "a wider dtype", tensor_of(Dtype::kFloat64, {1, 2}));
  });

  conformance("one_of_another_device_is_refused", {"CORE-11"}, [](Session& subject) {
    TensorValue elsewhere = f32({1, 2});
    elsewhere.device = {"cpu", -1};
    expect_refused(subject, "the host", elsewhere);
  }).only(DeviceRules::kCuda);

  conformance("a_tensor_is_not_its_own_gradient", {"CORE-11"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));

    expect_error([&] { subject.core().set_grad(weight, weight); }, ErrorKind::kError,
                 {"assign", "own grad"});
  });

  conformance("who_is_no_leaf_warns_when_asked", {"CORE-11"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    const Ref made = call(subject, "aten::relu", {weight});

    expect_true(subject.core().grad(made).is_none(), "it has no gradient");
    expect_warning(subject.warnings(), "UserWarning", {"not a leaf"});
    subject.core().grad(weight);
    expect_true(subject.warnings().empty(), "the leaf does not warn");
  });
}

}  // namespace assay::suites::graph
