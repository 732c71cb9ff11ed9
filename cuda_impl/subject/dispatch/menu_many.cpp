// The menu: signatures with many kinds of parameters.
#include "cuda_impl/subject/dispatch/menu_row.hpp"

namespace assay::cuda {

using dispatch::FloatList;
using dispatch::IntList;
using dispatch::TensorList;

std::vector<const MenuRow*> menu_of_many() {
  return {&row_of<Tensor(const Tensor&, std::optional<Tensor>, TensorList, std::int64_t, double,
                         bool, const Scalar&, std::string, IntList, FloatList, Device, Dtype)>(),
          &row_of<std::tuple<Tensor, Tensor, std::int64_t>(const Tensor&, std::optional<Tensor>,
                                                           TensorList, std::int64_t, double, bool,
                                                           const Scalar&, std::string)>()};
}

}  // namespace assay::cuda
