// Derivatives whose matrix products are calls of a dispatcher.
#pragma once

#include <memory>

#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/dispatch/call/typed_handle.hpp"

namespace assay::cuda::aten {

/// For the scope and its thread, products in derivatives are calls of `aten::mm` and `aten::bmm`,
/// visible in traces and subject to autocast (CAST-420). Of the operators that derivatives use,
/// only these are on autocast's lists.
class DispatchedDerivatives final : private autograd::Products {
 public:
  /// The dispatcher must contain the runtime's operators.
  explicit DispatchedDerivatives(std::shared_ptr<dispatch::Dispatcher> dispatcher);
  ~DispatchedDerivatives();
  DispatchedDerivatives(const DispatchedDerivatives&) = delete;
  DispatchedDerivatives& operator=(const DispatchedDerivatives&) = delete;

 private:
  using Product = dispatch::TypedHandle<Tensor(const Tensor&, const Tensor&)>;

  Tensor mm(const Tensor& left, const Tensor& right) const override {
    return mm_.call(left, right);
  }
  Tensor bmm(const Tensor& left, const Tensor& right) const override {
    return bmm_.call(left, right);
  }

  const std::shared_ptr<dispatch::Dispatcher> dispatcher_;
  const Product mm_;
  const Product bmm_;
  const autograd::Products* const before_;
};

}  // namespace assay::cuda::aten
