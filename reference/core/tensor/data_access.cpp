// Checks the dtype before it returns a pointer.
#include "reference/core/tensor/data_access.hpp"

#include "reference/core/types/error.hpp"

namespace assay::reference {

std::uint8_t* data_ptr(const Tensor& tensor, ScalarType dtype) {
  check(tensor.dtype() == dtype, [&] {
    return "expected scalar type " + std::string(cpp_name_of(dtype)) + " but found " +
           std::string(cpp_name_of(tensor.dtype()));
  });
  return tensor.data();
}

}  // namespace assay::reference
