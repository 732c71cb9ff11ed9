// Operators without a rule on the CPU that are composed of operators with one.
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

Value halves(const std::vector<std::int64_t>& shape) {
  return of_shape(cpu_target(), Dtype::kFloat32, shape, 0.5);
}

/// `input, hx, w_ih, w_hh`
std::vector<Value> cell() {
  return {halves({1, 2}), halves({1, 2}), halves({2, 2}), halves({2, 2})};
}

Value einsum(Session& subject, const char* equation) {
  const List operands{{halves({2, 2}), halves({2, 2})}};
  return call(subject, "aten::einsum", {equation, operands}).result();
}

}  // namespace

CASES("autocast/composite") {
  conformance("einsum_on_the_cpu_is_lowered_by_its_product", {"CAST-114"}, [](Session& subject) {
    expect_bits(einsum(subject, "ij,jk->ik"), of_shape(cpu_target(), Dtype::kFloat32, {2, 2}, 0.5));

    inside(subject, cpu_target(), [&] {
      expect_bits(einsum(subject, "ij,jk->ik"),
                  of_shape(cpu_target(), Dtype::kBfloat16, {2, 2}, 0.5));
    });
  });

  conformance("einsum_on_the_cpu_without_a_sum_is_not_lowered", {"CAST-114"}, [](Session& subject) {
    inside(subject, cpu_target(), [&] {
      expect_bits(einsum(subject, "ij,ij->ij"),
                  of_shape(cpu_target(), Dtype::kFloat32, {2, 2}, 0.25));
    });
  }).since(Release::k2_11);

  conformance("cells_with_one_gate_on_the_cpu_are_lowered_by_their_products", {"CAST-114"},
              [](Session& subject) {
                inside(subject, cpu_target(), [&] {
                  expect_bits(call(subject, "aten::rnn_relu_cell", cell()).result(),
                              of_shape(cpu_target(), Dtype::kBfloat16, {1, 2}, 1));
                  expect_equal(call(subject, "aten::rnn_tanh_cell", cell()).dtype(),
                               Dtype::kBfloat16);
                });
              })
      .since(Release::k2_11);
}

}  // namespace assay::suites
