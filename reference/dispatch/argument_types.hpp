// The C++ types of kernels' parameters, by the names that signatures use.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/core/ivalue.hpp"
#include "reference/core/tensor.hpp"

namespace assay::reference {

/// Views: the caller keeps what they point to.
using TensorList = std::span<const Tensor>;
using IntList = std::span<const std::int64_t>;
using FloatList = std::span<const double>;

/// Owns its elements; a copy shares them.
template <typename T>
class SharedList {
 public:
  SharedList() = default;
  explicit SharedList(std::vector<T> items)
      : items_(std::make_shared<std::vector<T>>(std::move(items))) {}
  const std::vector<T>& items() const { return *items_; }

 private:
  std::shared_ptr<std::vector<T>> items_ = std::make_shared<std::vector<T>>();
};

using Generator = IValue::GeneratorPtr;

}  // namespace assay::reference
