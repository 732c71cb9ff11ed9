// Helpers for cases of arithmetic.
#include "suites/core/arithmetic.hpp"

namespace assay::suites::arithmetic {
namespace {

using enum Dtype;

constexpr Dtype kFloats[] = {kFloat16, kBfloat16, kFloat32, kFloat64};

/// The bound of CORE-22 for a linear sum.
double bound_of(const Sum& sum, Dtype dtype, const Contract& contract) {
  const double stored = round_off_of(dtype);
  double accumulated = dtype == kFloat64 ? 0x1p-53 : 0x1p-24;
  const bool rounds_partial_sums =
      contract.release == Release::k1_13 && !contract.cuda() && dtype == kBfloat16;
  if (rounds_partial_sums || sum.in_own_type) accumulated = stored;
  const double growth = sum.terms * accumulated / (1 - sum.terms * accumulated);
  return growth * sum.magnitude + stored * std::fabs(sum.exact) + smallest_of(dtype);
}

}  // namespace

double round_off_of(Dtype dtype) {
  switch (dtype) {
    case kFloat16:
      return 0x1p-11;
    case kBfloat16:
      return 0x1p-8;
    case kFloat32:
      return 0x1p-24;
    default:
      return 0x1p-53;
  }
}

double smallest_of(Dtype dtype) {
  if (dtype == kFloat16) return 0x1p-24;
  return dtype == kBfloat16 ? 0x1p-133 : 0x1p-149;
}

TensorValue matrix(Dtype dtype, const Shape& shape, const std::vector<double>& values) {
  return shaped(tensor_of(dtype, values), shape);
}

void for_each_float(const std::function<void(Dtype)>& check) {
  for (const Dtype dtype : kFloats) {
    const ScopedTrace at{std::string(name_of(dtype))};
    check(dtype);
  }
}

std::vector<double> numbers(std::size_t count, std::uint64_t seed) {
  std::vector<double> values;
  std::uint64_t state = seed;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    values.push_back(static_cast<double>(static_cast<std::int64_t>(state >> 56) - 128) / 64);
  }
  return values;
}

void expect_sums(Session& subject, const TensorValue& got, const std::vector<Sum>& sums,
                 Where where) {
  std::vector<double> wanted;
  std::vector<double> bounds;
  for (const Sum& sum : sums) {
    wanted.push_back(sum.exact);
    bounds.push_back(bound_of(sum, got.dtype, subject.contract()));
  }
  expect_within(got, wanted, bounds, "CORE-22 for linear sums", where);
}

}  // namespace assay::suites::arithmetic
