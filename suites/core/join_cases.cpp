// cat and stack where there is little to join, and reductions and losses of tensors without
// dimensions.
#include "harness/suite/clients/autograd.hpp"
#include "suites/core/arithmetic.hpp"

namespace assay::suites::arithmetic {
namespace {

using enum Dtype;

Value joined(Session& subject, List tensors, std::int64_t dim) {
  return subject.core().op("cat", {std::move(tensors), dim});
}

}  // namespace

CASES("core/join") {
  conformance("an_empty_vector_counts_for_nothing", {"CORE-22"}, [](Session& subject) {
    const Value nothing = tensor_of(kFloat32, {});
    const Value square = matrix(kFloat32, {2, 2}, {1, 2, 3, 4});
    for (const std::int64_t dim : {0, 1, -1}) {
      const ScopedTrace at("dimension " + std::to_string(dim));

      expect_bits(joined(subject, {{nothing, square}}, dim), square);
      expect_bits(joined(subject, {{square, nothing, nothing}}, dim), square);
    }
    expect_bits(joined(subject, {{square, nothing, square}}, 0),
                matrix(kFloat32, {4, 2}, {1, 2, 3, 4, 1, 2, 3, 4}));
  });

  conformance("the_type_of_an_empty_vector_counts", {"CORE-22"}, [](Session& subject) {
    expect_bits(joined(subject, {{tensor_of(kFloat64, {}), matrix(kFloat32, {2, 1}, {1, 2})}}, 1),
                matrix(kFloat64, {2, 1}, {1, 2}));
  });

  conformance("empty_vectors_are_joined_in_any_dimension", {"CORE-22"}, [](Session& subject) {
    const Value nothing = tensor_of(kFloat32, {});
    for (const std::int64_t dim : {0, 1, -3}) {
      expect_bits(joined(subject, {{nothing, nothing}}, dim), nothing);
    }
  });

  conformance("an_empty_matrix_is_no_empty_vector", {"CORE-22"}, [](Session& subject) {
    const Value flat = matrix(kFloat32, {0, 3}, {});
    const Value square = matrix(kFloat32, {2, 2}, {1, 2, 3, 4});

    expect_error([&] { joined(subject, {{flat, square}}, 0); }, ErrorKind::kError);
    expect_bits(joined(subject, {{flat, matrix(kFloat32, {1, 3}, {1, 2, 3})}}, 0),
                matrix(kFloat32, {1, 3}, {1, 2, 3}));
  });

  conformance("a_list_without_tensors_is_refused", {"CORE-22"}, [](Session& subject) {
    const auto call = [&](const char* op) {
      subject.send("dispatch.call", {{"op", op}, {"args", List{{List{}, 0}}}});
    };
    const bool is_old = subject.contract().release < Release::k2_11;

    expect_error([&] { call("aten::cat"); }, is_old ? ErrorKind::kError : ErrorKind::kValue,
                 {"non-empty"});
    expect_error([&] { call("aten::stack"); }, ErrorKind::kError, {"non-empty"});
  });

  conformance("an_empty_vector_gets_an_empty_gradient", {"CORE-22"}, [](Session& subject) {
    const Ref nothing = subject.core().tensor(tensor_of(kFloat32, {}));
    const Ref matrix_of_two = subject.core().tensor(matrix(kFloat32, {1, 2}, {1, 2}));
    subject.core().requires_grad_(nothing, true);
    subject.core().requires_grad_(matrix_of_two, true);
    const Ref made{subject.fresh_name("made")};
    subject.send("core.op", {{"name", "cat"}, {"args", List{{List{{nothing, matrix_of_two}}, 1}}}},
                 made.name);

    subject.autograd().backward(made, matrix(kFloat32, {1, 2}, {5, 6}));

    expect_bits(subject.core().grad(nothing), tensor_of(kFloat32, {}));
    expect_bits(subject.core().grad(matrix_of_two), matrix(kFloat32, {1, 2}, {5, 6}));
  });

  conformance(
      "a_tensor_without_dimensions_has_two_names_for_them", {"CORE-22"}, [](Session& subject) {
        const Value one = matrix(kFloat32, {}, {3});
        for (const char* name : {"sum", "mean"}) {
          const ScopedTrace at(name);
          for (const std::int64_t dim : {0, -1}) {
            expect_bits(subject.core().op(name, {one, List{{dim}}}), one);
          }
          for (const std::int64_t dim : {1, -2}) {
            expect_error([&] { subject.core().op(name, {one, List{{dim}}}); }, ErrorKind::kIndex);
          }
          expect_error(
              [&] {
                subject.core().op(name, {one, List{{0, -1}}});
              },
              ErrorKind::kError, {"multiple times"});
        }
      });

  conformance("a_loss_broadcasts_before_it_chooses_a_type", {"CORE-22"}, [](Session& subject) {
    const Value number = matrix(kFloat64, {}, {3});
    const Value vector = tensor_of(kFloat16, {1, 5});

    expect_bits(subject.core().op("mse_loss", {number, vector}), matrix(kFloat64, {}, {4}));
    expect_warning(subject.warnings(), "UserWarning", {"target size"});
    expect_bits(subject.core().op("mse_loss", {vector, number}), matrix(kFloat64, {}, {4}));
    expect_warning(subject.warnings(), "UserWarning", {"target size"});
  });

  conformance("a_loss_of_equal_sizes_does_not_warn", {"CORE-22"}, [](Session& subject) {
    subject.core().op("mse_loss", {tensor_of(kFloat32, {1, 2}), tensor_of(kFloat32, {1, 2})});

    expect_true(subject.warnings().empty(), "the sizes are equal");
  });
}

}  // namespace assay::suites::arithmetic
