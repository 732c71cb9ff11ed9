// The dtype check before a pointer is given away.
#include "reference/core/data_access.hpp"

#include "reference/core/fault.hpp"

namespace assay::reference {

std::optional<DataAccess> data_access_named(std::string_view name) {
  if (name == "plain") return DataAccess::kPlain;
  if (name == "const") return DataAccess::kConst;
  if (name == "mutable") return DataAccess::kMutable;
  return std::nullopt;
}

std::uint8_t* data_ptr(const Tensor& tensor, ScalarType dtype, DataAccess access) {
  const bool unchecked = access == DataAccess::kConst && fault("data_ptr_const_unchecked");
  check(tensor.dtype() == dtype || unchecked, [&] {
    return "expected scalar type " + std::string(cpp_name_of(dtype)) + " but found " +
           std::string(cpp_name_of(tensor.dtype()));
  });
  if (access == DataAccess::kMutable && fault("data_ptr_mutable_bumps_version")) {
    tensor.bump_version();
  }
  return tensor.data();
}

}  // namespace assay::reference
