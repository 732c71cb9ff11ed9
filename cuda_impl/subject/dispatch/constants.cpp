// Default values, boxed.
#include "cuda_impl/subject/dispatch/constants.hpp"

namespace assay::cuda {
namespace {

struct Box {
  Boxed operator()(std::monostate) const { return {}; }
  Boxed operator()(const dispatch::Constant::List& list) const {
    auto items = std::make_shared<BoxedItems>();
    for (const dispatch::Constant& item : list) items->items.push_back(boxed_constant(item));
    return Boxed(std::move(items));
  }
  template <typename T>
  Boxed operator()(const T& plain) const {
    return Boxed(plain);
  }
};

}  // namespace

Boxed boxed_constant(const dispatch::Constant& constant) {
  return std::visit(Box{}, constant.payload());
}

}  // namespace assay::cuda
