// Signatures of the menu: only tensors, by value and by reference.
#include "harness/adapters/libtorch/typed.hpp"

namespace assay::libtorch {

using at::Tensor;
using c10::optional;
using std::int64_t;

void add_plain_signatures(std::vector<MenuEntry>& menu) {
  menu.push_back(menu_row<Tensor(const Tensor&)>("Tensor(const Tensor&)"));
  menu.push_back(menu_row<Tensor(Tensor)>("Tensor(Tensor)"));
  menu.push_back(
      menu_row<Tensor(const Tensor&, const Tensor&)>("Tensor(const Tensor&,const Tensor&)"));
  menu.push_back(menu_row<Tensor(Tensor, Tensor)>("Tensor(Tensor,Tensor)"));
  menu.push_back(menu_row<Tensor(const optional<Tensor>&)>("Tensor(const optional<Tensor>&)"));
  menu.push_back(menu_row<Tensor(optional<Tensor>)>("Tensor(optional<Tensor>)"));
  menu.push_back(menu_row<void()>("void()"));
  menu.push_back(menu_row<int64_t()>("int64_t()"));
  menu.push_back(menu_row<Tensor()>("Tensor()"));
}

}  // namespace assay::libtorch
