// The menu: tensors and plain values.
#include "cuda_impl/subject/dispatch/menu_row.hpp"

namespace assay::cuda {

std::vector<const MenuRow*> menu_of_plain_tensors() {
  return {&row_of<void()>(),
          &row_of<std::int64_t()>(),
          &row_of<Tensor()>(),
          &row_of<void(std::int64_t)>(),
          &row_of<void(const std::int64_t&)>(),
          &row_of<Tensor(const Tensor&)>(),
          &row_of<Tensor(Tensor)>(),
          &row_of<Tensor(const Tensor&, const Tensor&)>(),
          &row_of<Tensor(Tensor, Tensor)>(),
          &row_of<Tensor(const Tensor&, std::int64_t)>(),
          &row_of<Tensor(const Tensor&, double)>(),
          &row_of<Tensor(const Tensor&, bool)>(),
          &row_of<Tensor(const Tensor&, std::string)>(),
          &row_of<Tensor(const Tensor&, const Scalar&)>(),
          &row_of<Tensor(const Tensor&, Device)>(),
          &row_of<Tensor(const Tensor&, Dtype)>()};
}

}  // namespace assay::cuda
