// Reads arguments and creates results.
#include "cuda_impl/aten/shapes/argument_reader.hpp"

#include <algorithm>
#include <limits>

#include "cuda_impl/dispatch/call/boxing.hpp"
#include "cuda_impl/operators/promotion.hpp"

namespace assay::cuda::aten {
namespace {

const Boxed& of_kind(const Boxed& value, BoxedKind kind) {
  dispatch::expect_kind(kind, value);
  return value;
}

bool is_floating(const Tensor& tensor) {
  return facts(tensor.dtype()).is_floating || facts(tensor.dtype()).is_complex;
}

}  // namespace

bool ArgumentReader::has(std::size_t i) const { return !values_[i].is_none(); }

const Tensor& ArgumentReader::tensor(std::size_t i) const {
  values_[i].expect("Tensor");
  const Tensor& tensor = values_[i].tensor();
  require(tensor.defined(), [&] {
    return "argument " + std::to_string(i) + " is the undefined tensor, which has no shape";
  });
  return tensor;
}

std::vector<Tensor> ArgumentReader::tensors(std::size_t i) const {
  std::vector<Tensor> found;
  for (const Boxed& item : of_kind(values_[i], BoxedKind::kList).list()) {
    item.expect("Tensor");
    found.push_back(item.tensor());
  }
  require(!found.empty(), [] { return "expected a list of tensors that is not empty"; });
  return found;
}

std::int64_t ArgumentReader::integer(std::size_t i) const {
  return of_kind(values_[i], BoxedKind::kInt).integer();
}

std::int64_t ArgumentReader::integer_or(std::size_t i, std::int64_t otherwise) const {
  return has(i) ? integer(i) : otherwise;
}

bool ArgumentReader::flag(std::size_t i) const {
  return of_kind(values_[i], BoxedKind::kBool).boolean();
}

const std::string& ArgumentReader::text(std::size_t i) const {
  return of_kind(values_[i], BoxedKind::kString).text();
}

Shape ArgumentReader::integers(std::size_t i) const {
  if (values_[i].is(BoxedKind::kInt)) return {integer(i)};
  Shape numbers;
  for (const Boxed& item : of_kind(values_[i], BoxedKind::kList).list()) {
    numbers.push_back(of_kind(item, BoxedKind::kInt).integer());
  }
  return numbers;
}

Shape ArgumentReader::integers(std::size_t i, std::size_t count) const {
  Shape numbers = integers(i);
  if (numbers.size() == 1) numbers.resize(count, numbers.front());
  require(numbers.size() == count, [&] {
    return "expected " + std::to_string(count) + " numbers, but got " + to_text(numbers);
  });
  return numbers;
}

std::vector<Tensor> ArgumentReader::all_tensors() const {
  std::vector<Tensor> all;
  const auto add = [&](const Boxed& value) {
    if (value.is_tensor() && value.tensor().defined()) all.push_back(value.tensor());
  };
  for (const Boxed& value : values_) {
    add(value);
    if (!value.is(BoxedKind::kList)) continue;
    for (const Boxed& item : value.list()) add(item);
  }
  require(!all.empty(), [] { return "expected a tensor among the arguments"; });
  return all;
}

Dtype ArgumentReader::type() const {
  std::vector<Operand> floating;
  std::vector<Operand> any;
  for (const Tensor& tensor : all_tensors()) {
    any.emplace_back(tensor);
    if (is_floating(tensor)) floating.emplace_back(tensor);
  }
  return result_type(floating.empty() ? any : floating);
}

Dtype ArgumentReader::type_or(std::size_t i, Dtype otherwise) const {
  return has(i) ? dispatch::dtype_numbered(integer(i), release_) : otherwise;
}

Dtype ArgumentReader::one_type() const {
  const Dtype dtype = type();
  for (const Tensor& tensor : all_tensors()) {
    require(!is_floating(tensor) || tensor.dtype() == dtype, [&] {
      return "expected tensors of one dtype, but got " + std::string(facts(dtype).name) + " and " +
             std::string(facts(tensor.dtype()).name);
    });
  }
  return dtype;
}

Boxed ArgumentReader::made(Shape sizes, Dtype dtype) const {
  return Boxed(uncomputed(std::move(sizes), dtype, all_tensors().front().device()));
}

Tensor uncomputed(Shape sizes, Dtype dtype, Device device) {
  const bool has_nan = facts(dtype).is_floating || facts(dtype).is_complex;
  const double nothing = has_nan ? std::numeric_limits<double>::quiet_NaN() : 0;
  return full(std::move(sizes), nothing, dtype, device);
}

Dtype complex_of(Dtype dtype) {
  if (facts(dtype).is_complex) return dtype;
  if (dtype == Dtype::kFloat16) return Dtype::kComplex32;
  return dtype == Dtype::kFloat64 ? Dtype::kComplex128 : Dtype::kComplex64;
}

}  // namespace assay::cuda::aten
