// zero_grad: the gradients of the previous iteration.
#include "harness/suite/clients/core.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {

CASES("optim/zero_grad") {
  conformance("gradients_are_dropped_or_zeroed_as_asked", {"SCL-704", "SCL-713"},
              [](Session& subject) {
                for (const bool drops : {true, false}) {
                  const Param a = param(subject, 1, 3);
                  const Param b = param(subject, 1, 4);
                  const auto optimizer = subject.optim().sgd({.params = {a, b}, .lr = 0.5});

                  optimizer.zero_grad(drops);

                  expect_bits(a.grad(), drops ? Value() : Value(f32({0})));
                  expect_bits(b.grad(), drops ? Value() : Value(f32({0})));
                }
              });

  conformance("the_default_drops_since_2_0_and_zeroes_before", {"SCL-713"}, [](Session& subject) {
    const Param a = param(subject, 1, 3);
    const auto optimizer = subject.optim().sgd({.params = {a}, .lr = 0.5});

    optimizer.zero_grad();

    const bool drops = subject.contract().release != Release::k1_13;
    expect_bits(a.grad(), drops ? Value() : Value(f32({0})));
  });

  conformance("zeroed_it_is_the_same_tensor_one_version_later", {"OPT-008"}, [](Session& subject) {
    const Param trained(subject, f32({1, 2}));
    const Ref grad = subject.core().tensor(f32({3, 4}));
    trained.set_grad(grad);
    const std::int64_t before = subject.core().info(grad).version;

    made(subject, "sgd", {trained}).zero_grad(false);

    expect_bits(subject.core().read(grad), f32({0, 0}));
    expect_equal(subject.core().info(grad).version - before, std::int64_t{1});
  });

  conformance("adds_nothing_where_there_is_no_gradient", {"OPT-008"}, [](Session& subject) {
    for (const bool drops : {true, false}) {
      const Param trained(subject, f32({1}));

      made(subject, "adam", {trained}).zero_grad(drops);

      expect_true(trained.grad().is_none(), "there is still no gradient");
    }
  });
}

}  // namespace assay::suites
