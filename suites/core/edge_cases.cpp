// Empty, meta, expanded and turned tensors, numbers of a second dimension, and a second device.
#include "harness/suite/clients/runtime.hpp"
#include "suites/core/listed.hpp"

namespace assay::suites::arithmetic {
namespace {

using enum Dtype;

Ref meta(Session& subject, const Shape& shape) {
  return subject.core().empty({.shape = shape, .device = {{"meta", -1}}});
}

}  // namespace

CASES("core/edges") {
  conformance(
      "numbers_of_every_dimension_of_a_convolution_are_looked_at", {"CORE-22"},
      [](Session& subject) {
        const Value x = matrix(kFloat32, {1, 1, 2, 2}, {1, 2, 3, 4});
        const Value weight = matrix(kFloat32, {1, 1, 1, 1}, {1});
        const std::vector<std::vector<std::int64_t>> pairs = {{-1, 0}, {0, -1}};
        for (const auto& padding : pairs) {
          const ScopedTrace at(std::to_string(padding[0]));
          const List given{{padding[0], padding[1]}};
          const std::vector<Value> args{x, weight, Value(), List{{1, 1}}, given, List{{1, 1}}, 1};
          expect_error([&] { listed(subject, "aten::conv2d", args); }, ErrorKind::kError,
                       {"padding"});
        }
      });

  conformance(
      "a_result_is_nested_as_what_its_operand_repeats_not", {"CORE-22", "CORE-12"},
      [](Session& subject) {
        const Ref base = subject.core().tensor(matrix(kFloat32, {3, 2}, {1, 2, 3, 4, 5, 6}));
        const Ref repeats =
            subject.core().as_strided(base, {.shape = {2, 4, 3}, .strides = {1, 0, 2}});

        const Ref made = subject.core().op_ref("relu", {repeats});

        expect_equal(subject.core().info(made).strides, Shape{1, 2, 8});
      });

  conformance("a_sum_of_a_meta_tensor_has_a_shape", {"CORE-23"}, [](Session& subject) {
    const TensorInfo whole =
        subject.core().info(subject.core().op_ref("sum", {meta(subject, {2, 3})}));
    expect_equal(whole.shape, Shape{});
    expect_equal(*whole.device, Device{"meta", -1});
  });

  conformance("a_meta_tensor_takes_a_meta_tensor_and_counts_writes", {"CORE-23", "CORE-21"},
              [](Session& subject) {
                const Ref to = meta(subject, {2, 3});
                const Ref from = meta(subject, {3});

                subject.core().copy_(to, from);
                expect_equal(subject.core().info(to).version, std::int64_t{1});
                subject.core().fill_(to, 1.0);
                expect_equal(subject.core().info(to).version, std::int64_t{2});
              });

  conformance("an_empty_view_may_begin_anywhere", {"CORE-12"}, [](Session& subject) {
    const Ref base = subject.core().tensor(f32({1, 2}));

    const Ref view = subject.core().as_strided(base, {.shape = {0}, .strides = {1}, .offset = 9});

    expect_equal(subject.core().info(view).numel, std::int64_t{0});
    expect_equal(subject.core().info(view).offset, std::int64_t{9});
    expect_error(
        [&] { subject.core().as_strided(base, {.shape = {1}, .strides = {1}, .offset = 2}); },
        ErrorKind::kError, {"out of bounds"});
  });

  conformance("only_what_has_one_element_is_expanded", {"CORE-12"}, [](Session& subject) {
    const Ref pair = subject.core().tensor(f32({1, 2}));
    const Ref one = subject.core().tensor(f32({1}));
    const std::vector<std::pair<Ref, Shape>> rows = {{pair, {3}},    {pair, {1}}, {pair, {4}},
                                                     {pair, {2, 3}}, {one, {-2}}, {pair, {-2}}};
    for (const auto& [tensor, shape] : rows) {
      const ScopedTrace at(std::to_string(shape.back()));
      expect_error([&] { subject.core().expand(tensor, shape); }, ErrorKind::kError);
    }
    expect_equal(subject.core().info(subject.core().expand(one, {0})).numel, std::int64_t{0});
  });

  conformance("a_copy_to_itself_does_nothing_even_if_it_overlaps", {"CORE-21"},
              [](Session& subject) {
                const Ref wide = subject.core().expand(subject.core().tensor(f32({5})), {3});

                subject.core().copy_(wide, wide);

                expect_equal(subject.core().read(wide).real_at(2), 5.0);
              });

  on_cuda("a_linear_runs_on_the_device_of_its_tensors", {"CORE-22", "STR-030"},
          [](Session& subject) {
            const Device there = subject.device(1);
            const Ref x = subject.core().tensor(on(matrix(kFloat32, {1, 2}, {1, 2}), there));
            const Ref weight = subject.core().tensor(on(matrix(kFloat32, {1, 2}, {3, 4}), there));
            const auto gate =
                subject.runtime().gate(subject.runtime().default_stream(subject.device(0)));

            const Ref made = subject.core().op_ref("linear", {x, weight});

            expect_bits(subject.core().read(made), on(matrix(kFloat32, {1, 1}, {11}), there));
            gate.expect_not_expired();
            gate.open();
          });

  conformance("a_tensor_without_dimensions_fills_another", {"CORE-21"}, [](Session& subject) {
    const Ref pair = subject.core().tensor(f32({1, 2}));
    subject.core().fill_(pair, scalar_of(Dtype::kFloat64, 3));
    expect_bits(subject.core().read(pair), f32({3, 3}));
    expect_error([&] { subject.core().fill_(pair, f32({4})); }, ErrorKind::kError);
    expect_bits(subject.core().read(pair), f32({3, 3}));
    const Ref first = subject.core().as_strided(pair, {.shape = {}, .strides = {}, .offset = 1});
    subject.core().fill_(pair, 5);
    subject.core().fill_(pair, first);
    expect_bits(subject.core().read(pair), f32({5, 5}));
  });
}

}  // namespace assay::suites::arithmetic
