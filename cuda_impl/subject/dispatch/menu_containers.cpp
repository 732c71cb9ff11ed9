// The menu: optionals, lists, dicts and generators.
#include "cuda_impl/subject/dispatch/menu_row.hpp"

namespace assay::cuda {

using dispatch::Generator;
using dispatch::IntList;
using dispatch::TensorDict;
using dispatch::TensorList;

std::vector<const MenuRow*> menu_of_containers() {
  return {&row_of<Tensor(std::optional<Tensor>)>(),
          &row_of<Tensor(const std::optional<Tensor>&)>(),
          &row_of<Tensor(TensorList)>(),
          &row_of<Tensor(std::vector<std::optional<Tensor>>)>(),
          &row_of<Tensor(std::optional<TensorList>)>(),
          &row_of<Tensor(std::array<Tensor, 2>)>(),
          &row_of<Tensor(TensorDict)>(),
          &row_of<Tensor(Generator)>(),
          &row_of<Tensor(std::optional<Generator>)>(),
          &row_of<Tensor(const Tensor&, std::optional<Dtype>)>(),
          &row_of<Tensor(const Tensor&, IntList, std::optional<std::int64_t>)>()};
}

}  // namespace assay::cuda
