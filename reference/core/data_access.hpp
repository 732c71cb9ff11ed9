// Typed access to a tensor's data (CORE-13).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/core/tensor.hpp"

namespace assay::reference {

enum class DataAccess : std::uint8_t { kPlain, kConst, kMutable };
/// `plain`, `const`, `mutable`
std::optional<DataAccess> data_access_named(std::string_view name);

/// Null where `Tensor::data` is. Raises `error` when the tensor has another dtype. Bumps no
/// version, whatever the access.
std::uint8_t* data_ptr(const Tensor& tensor, ScalarType dtype, DataAccess access);

}  // namespace assay::reference
