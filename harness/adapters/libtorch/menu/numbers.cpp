// Signatures of the menu: a tensor and non-tensor arguments.
#include "harness/adapters/libtorch/typed.hpp"

namespace assay::libtorch {

using at::Scalar;
using at::ScalarType;
using at::Tensor;
using c10::Device;
using c10::optional;
using std::int64_t;

void add_number_signatures(std::vector<MenuEntry>& menu) {
  menu.push_back(menu_row<void(int64_t)>("void(int64_t)"));
  menu.push_back(menu_row<void(const int64_t&)>("void(const int64_t&)"));
  menu.push_back(menu_row<Tensor(const Tensor&, int64_t)>("Tensor(const Tensor&,int64_t)"));
  menu.push_back(menu_row<Tensor(const Tensor&, double)>("Tensor(const Tensor&,double)"));
  menu.push_back(menu_row<Tensor(const Tensor&, bool)>("Tensor(const Tensor&,bool)"));
  menu.push_back(menu_row<Tensor(const Tensor&, std::string)>("Tensor(const Tensor&,string)"));
  menu.push_back(
      menu_row<Tensor(const Tensor&, const Scalar&)>("Tensor(const Tensor&,const Scalar&)"));
  menu.push_back(menu_row<Tensor(const Tensor&, Device)>("Tensor(const Tensor&,Device)"));
  menu.push_back(menu_row<Tensor(const Tensor&, ScalarType)>("Tensor(const Tensor&,ScalarType)"));
  menu.push_back(menu_row<Tensor(const Tensor&, optional<ScalarType>)>(
      "Tensor(const Tensor&,optional<ScalarType>)"));
  menu.push_back(menu_row<Tensor(const Tensor&, at::IntArrayRef, optional<int64_t>)>(
      "Tensor(const Tensor&,IntList,optional<int64_t>)"));
}

}  // namespace assay::libtorch
