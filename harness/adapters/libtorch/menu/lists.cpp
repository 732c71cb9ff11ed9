// Signatures of the menu: lists, dicts and generators.
#include "harness/adapters/libtorch/typed.hpp"

namespace assay::libtorch {

using at::Generator;
using at::Tensor;
using at::TensorList;
using c10::optional;

void add_list_signatures(std::vector<MenuEntry>& menu) {
  menu.push_back(menu_row<Tensor(TensorList)>("Tensor(TensorList)"));
  menu.push_back(menu_row<Tensor(c10::List<optional<Tensor>>)>("Tensor(List<optional<Tensor>>)"));
  menu.push_back(menu_row<Tensor(optional<TensorList>)>("Tensor(optional<TensorList>)"));
  menu.push_back(menu_row<Tensor(std::array<Tensor, 2>)>("Tensor(array<Tensor,2>)"));
  menu.push_back(menu_row<Tensor(c10::Dict<std::string, Tensor>)>("Tensor(Dict<string,Tensor>)"));
  menu.push_back(menu_row<Tensor(Generator)>("Tensor(Generator)"));
  menu.push_back(menu_row<Tensor(optional<Generator>)>("Tensor(optional<Generator>)"));
}

}  // namespace assay::libtorch
