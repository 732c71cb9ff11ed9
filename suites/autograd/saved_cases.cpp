// Tensors saved for backward: they must be unmodified and not inference tensors; and the
// independence of leaves.
#include "suites/autograd/graph.hpp"

namespace assay::suites::graph {
namespace {

/// A product made in inference mode.
Ref inference_tensor(Session& subject) {
  const Ref plain = subject.core().tensor(f32({1, 2}));
  const std::string made = subject.fresh_name("made");
  Command multiply;
  multiply.verb = "dispatch.call";
  multiply.with = {{"op", "aten::mul.Tensor"}, {"args", List{{plain, plain}}}};
  multiply.as = made;
  subject.scope(subject.autograd().inference_mode(true), {multiply});
  return Ref{made};
}

}  // namespace

CASES("autograd/saved") {
  conformance("what_was_kept_must_not_be_written_to", {"CORE-13"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    const Ref factor = subject.core().tensor(f32({2}));
    const Ref product = call(subject, "aten::mul.Tensor", {weight, factor});
    subject.core().fill_(factor, 3.0);

    expect_error([&] { subject.autograd().backward(product, f32({1})); }, ErrorKind::kError,
                 {"modified by an inplace operation", "version"});
  });

  conformance("a_write_through_another_handle_counts", {"CORE-13"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    const Ref factor = subject.core().tensor(f32({2}));
    const Ref other = subject.core().detach(factor);
    const Ref product = call(subject, "aten::mul.Tensor", {weight, factor});
    subject.core().fill_(other, 3.0);

    expect_error([&] { subject.autograd().backward(product, f32({1})); }, ErrorKind::kError,
                 {"modified by an inplace operation"});
  });

  conformance("a_write_before_it_was_kept_does_not_matter", {"CORE-13"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1}));
    const Ref factor = subject.core().tensor(f32({2}));
    subject.core().fill_(factor, 3.0);

    subject.autograd().backward(call(subject, "aten::mul.Tensor", {weight, factor}), f32({1}));

    expect_grad(subject, weight, f32({3}));
  });

  conformance("an_inference_tensor_is_not_kept", {"CORE-14"}, [](Session& subject) {
    const Ref weight = leaf(subject, f32({1, 2}));
    const Ref made = inference_tensor(subject);

    expect_error(
        [&] {
          call(subject, "aten::mul.Tensor", {weight, made});
        },
        ErrorKind::kError, {"inference tensors cannot be saved for backward"});
  });

  conformance(
      "copies_of_an_inference_tensor_are_recorded_and_views_are_not", {"CORE-14"},
      [](Session& subject) {
        Command make;
        make.verb = "core.tensor";
        make.as = subject.fresh_name("made");
        make.with = {{"value", f32({1, 2})}, {"requires_grad", true}};
        subject.scope(subject.autograd().inference_mode(true), {make});
        const Ref made{make.as};

        const Ref wide = subject.core().to(made, {.dtype = Dtype::kFloat64});

        expect_equal(subject.autograd().node(subject.core().expand(made, {2, 2})).kind, "none");
        expect_equal(subject.autograd().node(call(subject, "aten::relu", {made})).kind, "none");
        expect_true(requires_grad(subject, wide), "the copy is recorded");
        const Value grad = subject.autograd().grad(wide, {made}, f64({3, 4})).at(0);
        expect_bits(grad, f32({3, 4}));
      })
      .since(Release::k2_11);

  conformance("a_copy_of_an_inference_tensor_has_been_written_once", {"CORE-13"},
              [](Session& subject) {
                const Ref made = inference_tensor(subject);
                const Ref plain = subject.core().tensor(f32({1, 2}));

                const Ref wide = subject.core().to(made, {.dtype = Dtype::kFloat64});

                expect_equal(subject.core().info(wide).version, 1);
                const Ref wide_plain = subject.core().to(plain, {.dtype = Dtype::kFloat64});
                expect_equal(subject.core().info(wide_plain).version, 0);
              });

  conformance("an_inference_tensor_requires_no_gradient", {"CORE-14"}, [](Session& subject) {
    const Ref made = inference_tensor(subject);

    expect_error([&] { subject.core().requires_grad_(made, true); }, ErrorKind::kError,
                 {"inference tensor"});
  });

  conformance("an_inference_tensor_is_written_and_then_refused", {"CORE-14"}, [](Session& subject) {
    const Ref made = inference_tensor(subject);
    const Ref view = subject.core().as_strided(made, {.shape = {1}, .strides = {1}});
    const std::vector<std::string> words{"inference tensor"};

    expect_error([&] { subject.core().fill_(made, 7.0); }, ErrorKind::kError, words);
    expect_bits(subject.core().read(view), f32({7}));
    expect_error([&] { subject.core().add_(view, 1.0); }, ErrorKind::kError, words);
    expect_error([&] { subject.core().copy_(view, subject.core().tensor(f32({2}))); },
                 ErrorKind::kError, words);
    expect_bits(subject.core().read(view), f32({2}));
  });

  conformance("a_leaf_has_a_gradient_of_its_own", {"SCL-704"}, [](Session& subject) {
    const Ref first = leaf(subject, f32({1}));
    const Ref second = leaf(subject, f32({2}));
    subject.autograd().backward(call(subject, "aten::add.Tensor", {first, second}), f32({4}));

    subject.autograd().backward(call(subject, "aten::relu", {first}), f32({8}));

    expect_grad(subject, first, f32({12}));
    expect_grad(subject, second, f32({4}));
  });

  conformance("a_custom_forward_records_nothing", {"CAST-707"}, [](Session& subject) {
    Command inner;
    inner.verb = "dispatch.call";
    inner.with = {{"op", "aten::relu"}, {"args", List{{Ref{"$0"}}}}};
    inner.as = "inner";
    Command backward;
    backward.verb = "autograd.backward";
    backward.with = {{"tensor", Ref{"inner"}}, {"gradient", f32({1})}};
    const Callable forward = subject.callback("forward", {inner, backward});
    const Callable unused = subject.callback("backward", {inner});
    const Ref function = subject.autograd().function(forward, unused);
    const Ref weight = leaf(subject, f32({1}));

    expect_error([&] { subject.autograd().apply(function, {weight}); }, ErrorKind::kError,
                 {"does not require grad"});
    expect_true(subject.core().grad(weight).is_none(), "the leaf has no gradient");
  });
}

}  // namespace assay::suites::graph
