// Implements MOVE-01, MOVE-04 and MOVE-06 to MOVE-11: the walk, and the conversion of one tensor.
#include "reference/module/apply_tensors.hpp"

#include "reference/core/runtime.hpp"
#include "reference/module/contents.hpp"

namespace assay::reference {
namespace {

class Application {
 public:
  Application(Runtime& runtime, const TensorFunction& function)
      : runtime_(runtime), function_(function), flags_(runtime.shared<ConversionFlags>()) {}

  void visit(Module& module, bool recurse) {
    const Descent descent;
    if (recurse) {
      for (const ModulePtr& child : module.children()) visit(*child, true);
    }
    visit_own(module);
  }

 private:
  void visit_own(Module& module) {
    // MOVE-08: a parameter with several names is visited once for each.
    for (Slot& slot : module.parameters()) {
      if (slot.tensor.defined()) visit_parameter(module, slot);
    }
    for (Slot& slot : module.buffers()) {
      if (slot.tensor.defined()) visit_buffer(slot);
    }
  }

  void visit_buffer(Slot& slot) {
    const Tensor converted = function_(slot.tensor);
    slot.tensor = converted;  // MOVE-07
  }

  Tensor without_history(const Tensor& tensor) {
    const GradModeGuard off(runtime_, false);
    return function_(tensor);
  }

  void visit_parameter(const Module& module, Slot& slot) {
    const Tensor before = slot.tensor;
    const Tensor converted = without_history(before);
    const Tensor grad = before.grad();
    const std::string name = std::string(name_of(module.kind())) + "." + slot.name;
    if (flags_.swap) return swap_parameter(before, converted, grad, name);
    if (is_kept(before, converted)) {
      set_data(before, converted);
    } else {
      slot.tensor = replaced(before, converted);
    }
    if (grad.defined()) visit_grad(slot.tensor, grad);
  }

  /// MOVE-04
  bool is_kept(const Tensor& before, const Tensor& converted) const {
    return is_compatible(before, converted) && !flags_.overwrite;
  }

  Tensor replaced(const Tensor& before, const Tensor& converted) const {
    const auto message = [&](const char* text) {
      const bool is_silent = runtime_.contract().before(Release::k2_11);
      return [=] { return std::string(is_silent ? "" : text); };
    };
    check(before.impl()->is_parameter, ErrorKind::kAssertion,
          message("what is replaced must be a parameter"));
    check(before.is_leaf(), ErrorKind::kAssertion,
          message("the parameter that is replaced must be a leaf"));
    return make_parameter(converted, before.requires_grad());
  }

  /// MOVE-06. `parameter` is the one that is in the module now.
  void visit_grad(const Tensor& parameter, const Tensor& grad) {
    const Tensor converted = without_history(grad);
    if (is_kept(grad, converted)) return set_data(grad, converted);
    check(grad.is_leaf(), ErrorKind::kAssertion, [] { return "the gradient must be a leaf"; });
    converted.set_requires_grad(grad.requires_grad());
    parameter.set_grad(converted);
  }

  /// MOVE-10
  void swap_parameter(const Tensor& parameter, const Tensor& converted, const Tensor& grad,
                      const std::string& name) {
    parameter.set_grad({});  // in PyTorch, the gradient would be a second owner
    try {
      swap_contents(parameter, make_parameter(converted, parameter.requires_grad()));
    } catch (const Error& problem) {
      parameter.set_grad(grad);
      refuse_swap(name, problem);
    }
    if (grad.defined()) swap_grad(parameter, grad, name + ".grad");
  }

  void swap_grad(const Tensor& parameter, const Tensor& grad, const std::string& name) {
    const Tensor converted = without_history(grad);
    converted.set_requires_grad(grad.requires_grad());
    try {
      swap_contents(grad, converted);
    } catch (const Error& problem) {
      // [DEV] PyTorch does not restore the gradient.
      if (runtime_.contract().strict()) parameter.set_grad(grad);
      refuse_swap(name, problem);
    }
    parameter.set_grad(grad);
  }

  [[noreturn]] static void refuse_swap(const std::string& name, const Error& problem) {
    throw Error("_apply(): Couldn't swap " + name + ": " + problem.message());
  }

  Runtime& runtime_;
  const TensorFunction& function_;
  ConversionFlags flags_;
};

}  // namespace

void apply_tensors(Runtime& runtime, Module& module, const TensorFunction& function, bool recurse) {
  Application application(runtime, function);
  application.visit(module, recurse);
}

}  // namespace assay::reference
