// cached_cast for the arguments of a typed call, with overloads by argument type.
#pragma once

#include <optional>
#include <vector>

#include "reference/autocast/casts.hpp"

namespace assay::reference {

/// CAST-204 to CAST-207.
struct TypedCast {
  Runtime& runtime;
  ScalarType to;
  CastDevice device;

  Tensor operator()(const Tensor& tensor) const { return cached_cast(runtime, to, tensor, device); }
  std::optional<Tensor> operator()(const std::optional<Tensor>& tensor) const {
    if (!tensor) return std::nullopt;
    return (*this)(*tensor);
  }
  std::vector<Tensor> operator()(const std::vector<Tensor>& tensors) const {
    std::vector<Tensor> mapped;
    for (const Tensor& tensor : tensors) mapped.push_back((*this)(tensor));
    return mapped;
  }
  template <typename Anything>
  Anything operator()(Anything value) const {
    return value;
  }
};

}  // namespace assay::reference
