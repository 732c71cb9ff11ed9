// Area core: views with other shapes.
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/operators/views.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

void core_size(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const std::int64_t dim = call.arguments().integer("dim");
  require(tensor.dim() > 0, ErrorKind::kIndex, [&] {
    return "Dimension specified as " + std::to_string(dim) + " but tensor has no dimensions";
  });
  const auto index = static_cast<std::size_t>(wrapped_dim(dim, tensor.dim()));
  call.result(Value(tensor.sizes()[index]));
}

void core_as_strided(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const std::int64_t own_offset = tensor.defined() ? tensor->offset : 0;
  const std::int64_t offset = call.arguments().integer("offset", own_offset);
  const Tensor view = as_strided(tensor, call.arguments().integers("shape"),
                                 call.arguments().integers("strides"), offset);
  call.result(autograd::view_of(view, tensor));
}

void core_expand(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  call.result(autograd::expanded(tensor, call.arguments().integers("shape")));
}

void core_detach(Call& call) { call.result(detach(call.tensor("tensor"))); }

}  // namespace assay::cuda
