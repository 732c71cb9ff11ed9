// Signatures of the menu: returned references, several return values, and two long signatures.
#include "harness/adapters/libtorch/typed.hpp"

namespace assay::libtorch {

using at::Scalar;
using at::ScalarType;
using at::Tensor;
using at::TensorList;
using c10::Device;
using c10::optional;
using std::int64_t;
using std::tuple;

void add_reference_signatures(std::vector<MenuEntry>& menu) {
  menu.push_back(menu_row<Tensor&(Tensor&)>("Tensor&(Tensor&)"));
  menu.push_back(menu_row<Tensor&(Tensor&, int64_t)>("Tensor&(Tensor&,int64_t)"));
  menu.push_back(menu_row<const Tensor&(const Tensor&)>("const Tensor&(const Tensor&)"));
  menu.push_back(menu_row<Tensor&(const Tensor&, Tensor&)>("Tensor&(const Tensor&,Tensor&)"));
  menu.push_back(menu_row<tuple<Tensor&, Tensor&>(const Tensor&, Tensor&, Tensor&)>(
      "tuple<Tensor&,Tensor&>(const Tensor&,Tensor&,Tensor&)"));
  menu.push_back(
      menu_row<tuple<Tensor, Tensor>(const Tensor&)>("tuple<Tensor,Tensor>(const Tensor&)"));
  menu.push_back(menu_row<tuple<Tensor, Tensor, int64_t>(const Tensor&)>(
      "tuple<Tensor,Tensor,int64_t>(const Tensor&)"));
  menu.push_back(
      menu_row<tuple<int64_t, Tensor>(const Tensor&)>("tuple<int64_t,Tensor>(const Tensor&)"));
  menu.push_back(menu_row<Tensor(const Tensor&, optional<Tensor>, TensorList, int64_t, double, bool,
                                 const Scalar&, std::string, at::IntArrayRef, c10::ArrayRef<double>,
                                 Device, ScalarType)>(
      "Tensor(const Tensor&,optional<Tensor>,TensorList,int64_t,double,bool,const Scalar&,string,"
      "IntList,FloatList,Device,ScalarType)"));
  menu.push_back(menu_row<tuple<Tensor, Tensor, int64_t>(const Tensor&, optional<Tensor>,
                                                         TensorList, int64_t, double, bool,
                                                         const Scalar&, std::string)>(
      "tuple<Tensor,Tensor,int64_t>(const Tensor&,optional<Tensor>,TensorList,int64_t,double,bool,"
      "const Scalar&,string)"));
}

}  // namespace assay::libtorch
