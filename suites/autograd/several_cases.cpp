// Several saved tensors, inputs, dims and devices: what holds for each of them.
#include "suites/autograd/graph.hpp"

namespace assay::suites::graph {
namespace {

/// An operator that saves the tensors with these names, and multiplies the gradient by their sum.
Ref saving(Session& subject, const List& saved) {
  List given{{Ref{"out"}}};
  given.items.insert(given.items.end(), saved.items.begin(), saved.items.end());
  const Callable forward =
      subject.callback(subject.fresh_name("forward"),
                       {calling("aten::relu", {Ref{"$0"}}, "out"), giving(std::move(given))});
  const Callable backward = subject.callback(
      subject.fresh_name("backward"), {calling("aten::stack", {Ref{"$saved"}, 0}, "kept"),
                                       calling("aten::sum", {Ref{"kept"}}, "factor"),
                                       calling("aten::mul.Tensor", {Ref{"$0"}, Ref{"factor"}})});
  return subject.autograd().function(forward, backward);
}

/// An operator of two tensors that gives its first input a gradient, and the second none.
Ref one_sided(Session& subject) {
  const Callable forward = subject.callback(subject.fresh_name("forward"),
                                            {calling("aten::add.Tensor", {Ref{"$0"}, Ref{"$1"}})});
  const Callable backward =
      subject.callback(subject.fresh_name("backward"), {giving(List{{Ref{"$0"}, Value()}})});
  return subject.autograd().function(forward, backward);
}

TensorValue strided(std::vector<std::int64_t> strides) {
  TensorValue value = shaped(f32({1, 2, 3, 4, 5, 6}), {2, 3});
  value.strides = std::move(strides);
  return value;
}

}  // namespace

CASES("autograd/several") {
  conformance("backward_gets_each_tensor_that_was_saved", {"CAST-701"}, [](Session& subject) {
    const Ref one = subject.core().tensor(f32({2}));
    const Ref two = subject.core().tensor(f32({5}));
    const Ref weight = leaf(subject, f32({1}));

    const Ref out = subject.autograd().apply(saving(subject, {{one, two}}), {weight});
    subject.autograd().backward(out, f32({1}));

    expect_grad(subject, weight, f32({7}));
  });

  conformance(
      "each_tensor_that_was_saved_must_be_as_it_was", {"CAST-701", "CORE-13"},
      [](Session& subject) {
        for (const int changed : {0, 1}) {
          const ScopedTrace at(std::to_string(changed));
          const Ref both[] = {subject.core().tensor(f32({2})), subject.core().tensor(f32({5}))};
          const Ref weight = leaf(subject, f32({1}));
          const Ref out = subject.autograd().apply(saving(subject, {{both[0], both[1]}}), {weight});
          subject.core().fill_(both[changed], 3.0);

          expect_error([&] { subject.autograd().backward(out, f32({1})); }, ErrorKind::kError,
                       {"modified by an inplace operation"});
        }
      });

  conformance("what_a_function_saved_is_released_by_a_backward", {"CAST-701", "SCL-704"},
              [](Session& subject) {
                const Ref one = subject.core().tensor(f32({2}));
                const Ref two = subject.core().tensor(f32({5}));
                const Ref weight = leaf(subject, f32({1}));
                const Ref out = subject.autograd().apply(saving(subject, {{one, two}}), {weight});
                subject.autograd().backward(out, f32({1}), true);
                subject.autograd().backward(out, f32({1}));

                expect_error([&] { subject.autograd().backward(out, f32({1})); }, ErrorKind::kError,
                             {"second time"});

                expect_grad(subject, weight, f32({14}));
              });

  conformance("an_input_may_get_no_gradient", {"CAST-701"}, [](Session& subject) {
    const Ref function = one_sided(subject);
    const Ref first = leaf(subject, f32({1}));
    const Ref second = leaf(subject, f32({2}));

    subject.autograd().backward(subject.autograd().apply(function, {first, second}), f32({3}));

    expect_grad(subject, first, f32({3}));
    expect_true(subject.core().grad(second).is_none(), "none was given");
  });

  conformance("what_gets_no_gradient_passes_none_on", {"CAST-701"}, [](Session& subject) {
    const Ref function = one_sided(subject);
    const Ref first = leaf(subject, f32({1}));
    const Ref second = leaf(subject, f32({2}));
    const Ref behind = call(subject, "aten::mul.Tensor", {second, subject.core().tensor(f32({4}))});

    subject.autograd().backward(subject.autograd().apply(function, {first, behind}), f32({3}));

    expect_grad(subject, first, f32({3}));
    expect_true(subject.core().grad(second).is_none(), "no gradient arrived");
  });

  conformance(
      "a_gradient_is_summed_over_each_dim_that_was_expanded", {"CORE-22"}, [](Session& subject) {
        const Value wide =
            subject.core().tensor(shaped(f32({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), {2, 2, 3}));
        const std::vector<std::pair<std::vector<std::int64_t>, std::vector<double>>> rows = {
            {{1, 1, 1}, {78}},      {{1, 1}, {78}},        {{}, {78}},
            {{2, 1, 1}, {21, 57}},  {{1, 2, 1}, {30, 48}}, {{2, 1}, {30, 48}},
            {{1, 3}, {22, 26, 30}}, {{3}, {22, 26, 30}}};
        for (const auto& [shape, wanted] : rows) {
          const ScopedTrace at(std::to_string(shape.size()) + " dims");
          const Ref weight =
              leaf(subject, shaped(f32(std::vector<double>(wanted.size(), 2)), shape));
          const Ref product = call(subject, "aten::mul.Tensor", {weight, wide});

          subject.autograd().backward(call(subject, "aten::sum", {product}));

          expect_grad(subject, weight, shaped(f32(wanted), shape));
        }
      });

  conformance("a_gradient_is_laid_out_as_its_leaf", {"SCL-704"}, [](Session& subject) {
    const std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> rows = {
        {{3, 1}, {3, 1}}, {{1, 2}, {1, 2}}};
    for (const auto& [strides, wanted] : rows) {
      const ScopedTrace at(std::to_string(strides[0]));
      const Ref weight = leaf(subject, strided(strides));
      const Ref given = subject.core().tensor(shaped(f32({1, 2, 3, 4, 5, 6}), {2, 3}));

      subject.autograd().backward(weight, given);

      expect_grad(subject, weight, strided(wanted));
      subject.core().fill_(given, 9.0);
      expect_grad(subject, weight, strided(wanted));
    }
  });

  on_cuda("gradients_stay_on_their_device", {"SCL-704"}, [](Session& subject) {
    const Device there = subject.device(1);
    const Ref weight = leaf(subject, on(f32({1, 2}), there));
    const Ref factor = subject.core().tensor(on(f32({3, 4}), there));
    const Ref product = call(subject, "aten::mul.Tensor", {weight, factor});

    subject.autograd().backward(call(subject, "aten::sum", {product}));

    expect_grad(subject, weight, on(f32({3, 4}), there));
  });

  conformance(
      "a_gradient_that_nobody_else_has_is_laid_out_as_its_leaf_too", {"SCL-704"},
      [](Session& subject) {
        const Ref turned = subject.core().tensor(strided({1, 2}));
        const Callable forward =
            subject.callback(subject.fresh_name("forward"), {calling("aten::relu", {Ref{"$0"}})});
        Command fresh;
        fresh.verb = "core.to";
        fresh.with = {{"tensor", turned}, {"copy", true}};
        const Callable backward =
            subject.callback(subject.fresh_name("backward"), {std::move(fresh)});
        const Ref function = subject.autograd().function(forward, backward);
        const Ref weight = leaf(subject, strided({3, 1}));

        subject.autograd().backward(subject.autograd().apply(function, {weight}), strided({3, 1}));

        expect_grad(subject, weight, strided({3, 1}));
      });

  conformance("what_a_view_reads_twice_gets_the_sum", {"CORE-22"}, [](Session& subject) {
    const Ref weight = leaf(subject, shaped(f32({1, 2, 3, 4, 5, 6}), {2, 3}));
    const Ref view =
        subject.core().as_strided(weight, {.shape = {2, 2}, .strides = {1, 2}, .offset = 1});

    subject.autograd().backward(view, shaped(f32({1, 2, 4, 8}), {2, 2}));

    expect_bits(subject.core().read(view),
                assay::strided(shaped(f32({2, 4, 3, 5}), {2, 2}), {1, 2}));
    expect_grad(subject, weight, shaped(f32({0, 1, 4, 2, 8, 0}), {2, 3}));
    subject.core().set_grad(weight, {});
    const Ref same =
        subject.core().as_strided(weight, {.shape = {2, 2}, .strides = {0, 1}, .offset = 4});
    subject.autograd().backward(same, shaped(f32({1, 2, 4, 8}), {2, 2}));
    expect_grad(subject, weight, shaped(f32({0, 0, 0, 0, 5, 10}), {2, 3}));
  });

  conformance("what_a_view_reads_once_keeps_the_sign_of_a_zero", {"CORE-22"}, [](Session& subject) {
    const Ref weight = leaf(subject, shaped(f32({1, 2, 3, 4, 5, 6}), {2, 3}));
    const Ref once =
        subject.core().as_strided(weight, {.shape = {2, 2}, .strides = {3, 1}, .offset = 1});
    const Ref twice =
        subject.core().as_strided(weight, {.shape = {2, 2}, .strides = {1, 1}, .offset = 0});

    subject.autograd().backward(once, shaped(f32({-0.0, 1, 2, -0.0}), {2, 2}));
    expect_grad(subject, weight, shaped(f32({0, -0.0, 1, 0, 2, -0.0}), {2, 3}));
    subject.core().set_grad(weight, {});
    subject.autograd().backward(twice, shaped(f32({-0.0, -0.0, -0.0, -0.0}), {2, 2}));
    expect_grad(subject, weight, shaped(f32({0, 0, 0, 0, 0, 0}), {2, 3}));
  });

  conformance("a_view_of_a_turned_tensor_finds_its_places", {"CORE-22"}, [](Session& subject) {
    const Ref weight = leaf(subject, strided({1, 2}));
    const Ref view = subject.core().as_strided(weight, {.shape = {3}, .strides = {1}, .offset = 1});
    const Value read = subject.core().read(view);

    subject.autograd().backward(view, f32({1, 2, 4}));

    expect_bits(read, f32({4, 2, 5}));
    expect_grad(subject, weight, [] {
      TensorValue wanted = shaped(f32({0, 2, 0, 1, 4, 0}), {2, 3});
      wanted.strides = {1, 2};
      return wanted;
    }());
  });

  conformance("only_what_requires_a_gradient_can_be_asked_for", {"CAST-513"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    const Ref plain = subject.core().tensor(f32({2}));
    const Ref product = call(subject, "aten::mul.Tensor", {weight, plain});

    expect_error(
        [&] {
          subject.autograd().grad(product, {weight, plain}, f32({1}));
        },
        ErrorKind::kError, {"require"});

    const auto found = subject.autograd().grad(product, {weight}, f32({1}));
    expect_bits(found.at(0), f32({2}));
  });
}

}  // namespace assay::suites::graph
