// Selects the products that derivatives use.
#include "cuda_impl/aten/derivatives.hpp"

#include <utility>

namespace assay::cuda::aten {

DispatchedDerivatives::DispatchedDerivatives(std::shared_ptr<dispatch::Dispatcher> dispatcher)
    : dispatcher_(std::move(dispatcher)),
      mm_(dispatcher_->find_schema({"aten::mm", ""})),
      bmm_(dispatcher_->find_schema({"aten::bmm", ""})),
      before_(autograd::products_of_thread()) {
  autograd::products_of_thread() = this;
}

DispatchedDerivatives::~DispatchedDerivatives() { autograd::products_of_thread() = before_; }

}  // namespace assay::cuda::aten
