// Creates kernels and runs typed ones.
#include "reference/dispatch/registry/kernel.hpp"

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

// DSP-421
template <typename Function>
void expect_function(const Function& function) {
  check(static_cast<bool>(function), ErrorKind::kInternal,
        [] { return "Kernel function cannot be nullptr"; });
}

}  // namespace

Kernel Kernel::boxed(BoxedFunction function) {
  expect_function(function);
  Kernel made(KernelKind::kBoxed);
  made.boxed_ = std::make_shared<const BoxedFunction>(std::move(function));
  return made;
}

Kernel Kernel::typed(CppSignature signature, TypedFunction function, bool takes_keys) {
  expect_function(function);
  Kernel made(KernelKind::kTyped);
  made.typed_ =
      std::make_shared<const Typed>(Typed{std::move(signature), std::move(function), takes_keys});
  return made;
}

Stack Kernel::run_typed(const OperatorHandle& op, KeySet keys,
                        const TypedArguments& arguments) const {
  Stack results = typed_->function(op, typed_->takes_keys ? keys : KeySet{}, arguments);
  check(results.size() == typed_->signature.returns.size(), ErrorKind::kInternal, [&] {
    return "a kernel " + to_text(typed_->signature) + " returned " +
           std::to_string(results.size()) + " values";
  });
  return results;
}

}  // namespace assay::reference
