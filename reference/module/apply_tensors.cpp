// MOVE-01, MOVE-04, MOVE-06 to MOVE-11: the walk, and one parameter, gradient or buffer at a time.
#include "reference/module/apply_tensors.hpp"

#include <set>

#include "reference/core/fault.hpp"
#include "reference/core/grad_mode.hpp"
#include "reference/module/contents.hpp"

namespace assay::reference {
namespace {

class Application {
 public:
  Application(Runtime& runtime, const TensorFunction& function)
      : runtime_(runtime), function_(function), flags_(runtime.shared<ConversionFlags>()) {}

  void visit(Module& module, bool recurse) {
    if (fault("module_itself_before_children")) visit_own(module);
    if (recurse && !fault("module_stops_at_children")) {
      for (const ModulePtr& child : module.children()) visit(*child, true);
    }
    if (!fault("module_itself_before_children")) visit_own(module);
  }

 private:
  void visit_own(Module& module) {
    for (Slot& slot : module.parameters()) {
      if (slot.tensor.defined() && !is_skipped(slot.tensor)) visit_parameter(module, slot);
    }
    if (fault("module_forgets_buffers")) return;
    for (Slot& slot : module.buffers()) {
      if (slot.tensor.defined()) visit_buffer(slot);
    }
  }

  /// MOVE-08: nobody asks whether a parameter was visited before, under another name.
  bool is_skipped(const Tensor& parameter) {
    if (!fault("module_visits_parameters_once")) return false;
    return !visited_.insert(parameter.identity()).second;
  }

  void visit_buffer(Slot& slot) {
    const Tensor converted = function_(slot.tensor);
    if (fault("module_buffers_in_place") && is_compatible(slot.tensor, converted)) {
      return set_data(slot.tensor, converted);
    }
    slot.tensor = converted;  // MOVE-07
  }

  Tensor without_history(const Tensor& tensor) {
    const GradModeGuard off(runtime_, fault("module_converts_with_history"));
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
    if (grad.defined() && !fault("module_forgets_grads")) visit_grad(slot.tensor, grad);
    if (fault("module_takes_grad_away") && !before.is_same(slot.tensor)) before.set_grad({});
  }

  /// MOVE-04
  bool is_kept(const Tensor& before, const Tensor& converted) const {
    if (fault("module_always_replaces")) return false;
    const bool overwrites = flags_.overwrite && !fault("module_ignores_overwrite");
    return is_compatible(before, converted) && !overwrites;
  }

  Tensor replaced(const Tensor& before, const Tensor& converted) const {
    const auto message = [&](const char* text) {
      const bool is_silent = runtime_.contract().before(Release::k2_11);
      return [=] { return std::string(is_silent ? "" : text); };
    };
    const bool is_checked = !fault("module_replaces_anything");
    check(before.impl()->is_parameter || !is_checked, ErrorKind::kAssertion,
          message("what is replaced must be a parameter"));
    check(before.is_leaf() || !is_checked, ErrorKind::kAssertion,
          message("the parameter that is replaced must be a leaf"));
    const bool requires_grad = before.requires_grad() || fault("module_thaws_parameters");
    return make_parameter(converted, requires_grad);
  }

  /// MOVE-06. `parameter` is what now stands in the module.
  void visit_grad(const Tensor& parameter, const Tensor& grad) {
    const Tensor converted = without_history(grad);
    if (is_kept(grad, converted) && !fault("module_replaces_grads"))
      return set_data(grad, converted);
    check(grad.is_leaf(), ErrorKind::kAssertion, [] { return "the gradient must be a leaf"; });
    if (!fault("module_grad_loses_requires_grad"))
      converted.set_requires_grad(grad.requires_grad());
    parameter.set_grad(converted);
  }

  /// MOVE-10
  void swap_parameter(const Tensor& parameter, const Tensor& converted, const Tensor& grad,
                      const std::string& name) {
    parameter.set_grad({});  // a gradient would be a second owner in PyTorch
    try {
      swap_contents(parameter, make_parameter(converted, parameter.requires_grad()));
    } catch (const Error& problem) {
      if (!fault("module_failed_swap_drops_grad")) parameter.set_grad(grad);
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
      // [DEV] PyTorch leaves the parameter without its gradient.
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
  std::set<const void*> visited_;
};

}  // namespace

void apply_tensors(Runtime& runtime, Module& module, const TensorFunction& function, bool recurse) {
  Application application(runtime, function);
  try {
    application.visit(module, recurse);
  } catch (const Error&) {
    if (!fault("module_swallows_errors")) throw;
  }
  if (fault("module_move_trains")) module.set_training(true);
}

}  // namespace assay::reference
