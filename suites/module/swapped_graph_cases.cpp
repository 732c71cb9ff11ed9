// A swap of a parameter's contents and the graphs that were made before it.
#include "harness/suite/clients/autograd.hpp"
#include "suites/module/moving.hpp"

namespace assay::suites {
namespace {

void swapping(Session& subject) { subject.modules().flags({.swap = true}); }

Ref sum(Session& subject, const Value& tensor) { return subject.core().op_ref("sum", {tensor}); }

void expect_poisoned(Session& subject, const Ref& total) {
  expect_error([&] { subject.autograd().backward(total); }, ErrorKind::kError, {"poisoned"});
}

}  // namespace

CASES("module/swapped_graph") {
  conformance("it_cannot_run_backward_into_the_parameter", {"MOVE-10"}, [](Session& subject) {
    for (const char* conversion : {"double", "float"}) {
      const ScopedTrace at(conversion);
      const Single one = single(subject);
      const Ref total = sum(subject, one.parameter);
      swapping(subject);

      one.module.move(conversion);

      expect_poisoned(subject, total);
      expect_equal(subject.core().grad(one.parameter), None{});
      expect_poisoned(subject, total);
    }
  }).since(Release::k2_4);

  conformance("a_new_graph_runs_beside_it", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref before = sum(subject, one.parameter);
    swapping(subject);
    one.module.move("double");

    subject.autograd().backward(sum(subject, one.parameter));

    expect_bits(subject.core().read(grad_of(subject, one.parameter)), f64({1, 1}));
    expect_poisoned(subject, before);
    expect_bits(subject.core().read(grad_of(subject, one.parameter)), f64({1, 1}));
  }).since(Release::k2_4);

  conformance("each_of_two_swaps_has_its_own", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref first = sum(subject, one.parameter);
    swapping(subject);
    one.module.move("double");
    const Ref second = sum(subject, one.parameter);
    one.module.move("float");

    subject.autograd().backward(sum(subject, one.parameter));

    expect_poisoned(subject, first);
    expect_poisoned(subject, second);
    expect_bits(subject.core().read(grad_of(subject, one.parameter)), f32({1, 1}));
  }).since(Release::k2_4);

  conformance(
      "gradients_of_other_tensors_are_still_computed", {"MOVE-10", "CAST-513"},
      [](Session& subject) {
        const Single one = single(subject);
        const Ref other = single(subject).parameter;
        const Ref product = subject.core().op_ref("mul", {other, f32({2, 3})});
        const Ref total =
            subject.core().op_ref("add", {sum(subject, one.parameter), sum(subject, product)});
        swapping(subject);

        one.module.move("double");
        const std::vector<Value> gradients = subject.autograd().grad(total, {one.parameter, other});

        expect_equal(gradients.at(0), None{});
        expect_bits(gradients.at(1), f32({2, 3}));
      })
      .since(Release::k2_4);

  conformance("what_it_has_saved_cannot_be_swapped", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref squares = subject.core().op_ref("mul", {one.parameter, one.parameter});
    swapping(subject);

    expect_error([&] { one.module.move("double"); }, ErrorKind::kError,
                 {"Couldn't swap", "Module.w"});

    expect_bits(subject.core().read(one.parameter), f32({1, 2}));
    subject.autograd().backward(squares, f32({1, 1}));
    expect_bits(subject.core().read(grad_of(subject, one.parameter)), f32({2, 4}));
  }).since(Release::k2_4);

  conformance("what_backward_has_freed_can_be_swapped", {"MOVE-10"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref squares = subject.core().op_ref("mul", {one.parameter, one.parameter});
    subject.autograd().backward(squares, f32({1, 1}));
    swapping(subject);

    one.module.move("double");

    expect_bits(subject.core().read(one.parameter), f64({1, 2}));
    expect_bits(subject.core().read(grad_of(subject, one.parameter)), f64({2, 4}));
  }).since(Release::k2_4);

  conformance("what_leads_to_the_other_tensor_cannot_run_into_it", {"MOVE-10"},
              [](Session& subject) {
                const Single one = single(subject);
                const Ref grad = subject.core().leaf(f32({3, 4}));
                subject.core().set_grad(one.parameter, grad);
                const Ref kept = subject.core().leaf(f32({5, 6}));
                const Ref total = sum(subject, kept);
                const Callable gives = function(subject, [&](Session& inner) {
                  inner.send("value", {{"value", kept}});
                });
                swapping(subject);

                one.module.apply_tensors(gives);

                expect_bits(subject.core().read(grad), f32({5, 6}));
                expect_bits(subject.core().read(kept), f32({3, 4}));
                expect_poisoned(subject, total);
              })
      .since(Release::k2_4);

  conformance("a_swap_that_failed_leaves_it_alone", {"MOVE-10", "MOVE-11"}, [](Session& subject) {
    const Single one = single(subject);
    const Ref total = sum(subject, one.parameter);
    const std::string weak = subject.fresh_name("weak");
    subject.send("weak", {{"object", one.parameter}}, weak);
    swapping(subject);

    expect_error([&] { one.module.move("double"); }, ErrorKind::kError, {"Couldn't swap"});
    subject.autograd().backward(total);

    expect_bits(subject.core().read(grad_of(subject, one.parameter)), f32({1, 1}));
  }).since(Release::k2_4);
}

}  // namespace assay::suites
