// The menu: signatures that return their arguments or several values.
#include "cuda_impl/subject/dispatch/menu_row.hpp"

namespace assay::cuda {

std::vector<const MenuRow*> menu_of_references() {
  return {&row_of<Tensor&(Tensor&)>(),
          &row_of<Tensor&(Tensor&, std::int64_t)>(),
          &row_of<const Tensor&(const Tensor&)>(),
          &row_of<Tensor&(const Tensor&, Tensor&)>(),
          &row_of<std::tuple<Tensor&, Tensor&>(const Tensor&, Tensor&, Tensor&)>(),
          &row_of<Tensor&(Tensor&, Tensor&, const Tensor&, double, double, std::int64_t)>(),
          &row_of<void(dispatch::TensorList, Tensor&, const Tensor&)>(),
          &row_of<std::tuple<Tensor, Tensor>(const Tensor&)>(),
          &row_of<std::tuple<Tensor, Tensor, std::int64_t>(const Tensor&)>(),
          &row_of<std::tuple<std::int64_t, Tensor>(const Tensor&)>()};
}

}  // namespace assay::cuda
