// Errors typical of implementations in other languages: element types of the host, shapes without
// dimensions, and bfloat16, which has no native type there.
#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

constexpr float kThird = 0x1.555556p-2f;

TensorValue in_shape(Dtype dtype, double value, std::vector<std::int64_t> shape) {
  return shaped(tensor_of(dtype, {value}), std::move(shape));
}

}  // namespace

CASES("amp/shapes") {
  kernel_case("without_dimensions_are_visited_in_every_dtype", {"AMP-201"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{}, {1}, {1, 1}}) {
        const ScopedTrace at(std::string(name_of(dtype)) + ", rank " +
                             std::to_string(shape.size()));
        expect_unscales(session, {.grads = {in_shape(dtype, 3, shape)}, .inv_scale = kThird});
        expect_unscales(session, {.grads = {in_shape(dtype, kInf, shape)}});
      }
    }
  });

  kernel_case("of_all_ranks_may_stand_in_one_list", {"AMP-201", "AMP-304"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      expect_unscales(session, {.grads = {in_shape(dtype, 3, {}), in_shape(dtype, 5, {1}),
                                          in_shape(dtype, 7, {1, 1}), in_shape(dtype, kNaN, {})}});
    }
  });
}

CASES("amp/bfloat16") {
  kernel_case(
      "ties_go_to_even", {"AMP-202", "AMP-203"},
      [](Session& session) {
        // 1.5 times an odd significand is a tie.
        for (const std::uint64_t bits : {0x3f81u, 0x3f83u, 0x3f85u, 0xbf81u, 0xbf83u, 0x0081u,
                                         0x0083u, 0x0001u, 0x0003u, 0x7e81u, 0x7e83u}) {
          const ScopedTrace at("bits " + std::to_string(bits));
          for (const float inverse : {1.5f, 0.5f, 0.75f, 0.25f}) {
            expect_unscales(session,
                            {.grads = {from_bits(Dtype::kBfloat16, {bits})}, .inv_scale = inverse});
          }
        }
      })
      .unless(Property::kFlushesSubnormals)
      .only(DeviceRules::kCpu);

  kernel_case("agrees_with_its_definition_on_random_bits", {"AMP-201", "AMP-202", "AMP-203"},
              [](Session& session) {
                Bits bits(0xbf16);
                for (int round = 0; round < 40; ++round) {
                  const ScopedTrace at("round " + std::to_string(round));
                  TensorValue grad = filled(Dtype::kBfloat16, 100, 0);
                  for (std::size_t i = 0; i < 100; ++i) grad.set_bits(i, bits.below(0x10000));
                  const float inverse = float_of(static_cast<std::uint32_t>(bits.next() >> 32));
                  expect_unscales(session, {.grads = {grad}, .inv_scale = inverse});
                  expect_unscales(session, {.grads = {grad}, .inv_scale = 1.0f});
                  expect_unscales(session, {.grads = {grad}, .inv_scale = kThird});
                }
              })
      .unless(Property::kFlushesSubnormals)
      .only(DeviceRules::kCpu);

  kernel_case("may_stand_among_other_dtypes", {"AMP-308", "AMP-212"}, [](Session& session) {
    for (const double value : {6.0, double{kInf}}) {
      expect_unscales(session, {.grads = {f32({5}), bf16({value, 3}), f16({7}), bf16({9})}});
    }
  }).only(DeviceRules::kCpu);
}

}  // namespace assay::suites
