// Helpers for the values of operators on autocast's lists.
#include "suites/core/listed.hpp"

#include <algorithm>
#include <utility>

#include "harness/suite/reading.hpp"

namespace assay::suites::arithmetic {

TensorValue listed(Session& subject, const std::string& op, std::vector<Value> args) {
  Fields with{{"op", op}, {"args", List{std::move(args)}}};
  return subject.read<TensorValue>("dispatch.call", std::move(with));
}

Value ints(const std::vector<std::int64_t>& numbers) {
  List list;
  for (const std::int64_t number : numbers) list.items.emplace_back(number);
  return list;
}

void for_each_computed_float(Session& subject, const std::function<void(Dtype)>& check) {
  const Contract contract = subject.contract();
  const bool has_halves = contract.release != Release::k1_13 || contract.cuda();
  for_each_float([&](Dtype dtype) {
    const bool is_half = dtype == Dtype::kFloat16 || dtype == Dtype::kBfloat16;
    if (!is_half || has_halves) check(dtype);
  });
}

void expect_near(const TensorValue& got, const std::vector<double>& wanted,
                 const std::vector<double>& magnitude, Where where) {
  std::vector<double> bounds;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double added = i < magnitude.size() ? magnitude[i] : 0;
    const double size = std::max(added, std::fabs(wanted[i]));
    bounds.push_back(4 * round_off_of(got.dtype) * size + smallest_of(got.dtype));
  }
  expect_within(got, wanted, bounds, "CORE-22 for listed operators", where);
}

}  // namespace assay::suites::arithmetic
