// Checks the dtype before it returns a pointer; implements fill and item.
#include "reference/core/tensor/fill.hpp"

#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/element.hpp"
#include "reference/core/types/error.hpp"

namespace assay::reference {

std::uint8_t* data_ptr(const Tensor& tensor, ScalarType dtype) {
  check(tensor.dtype() == dtype, [&] {
    return "expected scalar type " + std::string(cpp_name_of(dtype)) + " but found " +
           std::string(cpp_name_of(tensor.dtype()));
  });
  return tensor.data();
}

// Fill and item.

namespace {

/// [DEV] of CORE-07: PyTorch fills these tensors without the dispatcher and its range check.
bool is_filled_unchecked(const Contract& contract, const Tensor& tensor) {
  const bool is_short =
      tensor.dtype() == ScalarType::kHalf || tensor.dtype() == ScalarType::kBFloat16;
  return !contract.strict() && contract.at_least(Release::k2_11) && is_short &&
         tensor.device().is_cpu() && tensor.numel() == 1;
}

}  // namespace

Tensor fill_(Runtime& runtime, const Tensor& tensor, const Scalar& value) {
  check(tensor.defined() && !tensor.is_sparse(),
        [&] { return "fill_ needs a strided tensor, got " + describe(tensor); });
  const std::uint64_t bits = is_filled_unchecked(runtime.contract(), tensor)
                                 ? bits_of_real(tensor.dtype(), value.real())
                                 : value.bits_as(tensor.dtype(), runtime.contract());
  if (tensor.is_cuda()) ++runtime.counters().launches;
  if (tensor.data() == nullptr) {
    note_write(runtime, tensor);
    return tensor;
  }
  launch(runtime, tensor.device(), "fill", [to = borrowed(tensor), bits] {
    const std::size_t size = element_size(to.dtype());
    for_each_offset(to.sizes(), to.strides(), 0, [&](std::int64_t offset) {
      store_bits(to.data() + static_cast<std::size_t>(offset) * size, size, bits);
    });
  });
  note_write(runtime, tensor);
  return tensor;
}

Scalar item(Runtime& runtime, const Tensor& tensor) {
  const bool is_first = runtime.contract().before(Release::k2_4);
  check(tensor.numel() == 1, is_first ? ErrorKind::kValue : ErrorKind::kError, [&] {
    return "a Tensor with " + std::to_string(tensor.numel()) +
           " elements cannot be converted to Scalar";
  });
  // CORE-23
  check(!tensor.is_meta(), is_first ? ErrorKind::kNotImplemented : ErrorKind::kError,
        [] { return "item is not implemented for meta tensors: they have no data"; });
  if (tensor.is_cuda()) ++runtime.counters().host_reads;
  wait_for_stream(runtime, tensor.device());
  if (tensor.dtype() == ScalarType::kBool) return Scalar(integer_at(tensor, 0) != 0);
  if (is_floating(tensor.dtype())) return Scalar(real_at(tensor, 0));
  return Scalar(integer_at(tensor, 0));
}

}  // namespace assay::reference
