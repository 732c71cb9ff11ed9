// Walks over a module and converts one parameter, gradient or buffer at a time.
#include "cuda_impl/module/apply.hpp"

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/module/contents.hpp"

namespace assay::cuda {
namespace {

class Walk {
 public:
  explicit Walk(const Application& application)
      : function_(application.function),
        contract_(application.contract),
        flags_(conversion_flags()) {}

  void visit(Module& module, bool recurses) const {
    const ModuleDepth deeper;
    if (recurses) {
      for (const auto& child : module.children()) visit(*child, true);
    }
    for (auto& [name, tensor] : module.parameters()) {
      if (tensor.defined())
        visit_parameter(tensor, std::string(name_of(module.kind())) + "." + name);
    }
    for (auto& [name, tensor] : module.buffers()) {
      if (tensor.defined()) tensor = function_(tensor);  // MOVE-07
    }
  }

 private:
  Tensor without_history(const Tensor& tensor) const {
    const GradModeGuard off(false);
    return function_(tensor);
  }

  bool is_kept(const Tensor& before, const Tensor& converted) const {
    return !flags_.overwrite && takes_data_of(before, converted);
  }

  /// `name` is used in messages.
  void visit_parameter(Tensor& slot, const std::string& name) const {
    const Tensor before = slot;
    const Tensor converted = without_history(before);
    const Tensor grad = before.grad();
    if (flags_.swap) return swap_parameter(before, converted, name);
    if (is_kept(before, converted)) {
      set_data(before, converted);
    } else {
      slot = replaced(before, converted);
    }
    if (grad.defined()) visit_grad(slot, grad);
  }

  Tensor replaced(const Tensor& before, const Tensor& converted) const {
    require(before->is_parameter && before->is_leaf, ErrorKind::kAssertion, [&] {
      const bool is_silent = contract_.release < Release::k2_11;
      return std::string(is_silent ? "" : "what is replaced must be a parameter and a leaf");
    });
    return make_parameter(converted, before->requires_grad);
  }

  /// Converts the gradient of `parameter`, which has been converted already (MOVE-06).
  void visit_grad(const Tensor& parameter, const Tensor& grad) const {
    const Tensor converted = without_history(grad);
    if (is_kept(grad, converted)) return set_data(grad, converted);
    require(grad->is_leaf, ErrorKind::kAssertion, [] { return "the gradient must be a leaf"; });
    converted->requires_grad = grad->requires_grad;
    parameter.set_grad(converted);
  }

  /// MOVE-10
  void swap_parameter(const Tensor& parameter, const Tensor& converted,
                      const std::string& name) const {
    const Tensor grad = parameter.grad();
    refusing(name, [&] {
      const Tensor made = make_parameter(converted, parameter->requires_grad);
      swap_contents(parameter, made);
    });
    parameter.set_grad(grad);
    if (grad.defined()) swap_grad(parameter, grad, name + ".grad");
  }

  void swap_grad(const Tensor& parameter, const Tensor& grad, const std::string& name) const {
    const Tensor converted = without_history(grad);
    converted->requires_grad = grad->requires_grad;
    if (!contract_.is_strict) parameter.set_grad({});  // [DEV] PyTorch loses it if this fails
    refusing(name, [&] { swap_contents(grad, converted); });
    parameter.set_grad(grad);
  }

  template <typename Swap>
  static void refusing(const std::string& name, const Swap& swap) {
    try {
      swap();
    } catch (const Error& problem) {
      throw Error("_apply(): Couldn't swap " + name + ": " + problem.message());
    }
  }

  const std::function<Tensor(const Tensor& tensor)>& function_;
  const Contract contract_;
  const ConversionFlags flags_;
};

}  // namespace

ConversionFlags& conversion_flags() {
  static ConversionFlags flags;
  return flags;
}

void apply_to_tensors(Module& module, const Application& application) {
  Walk(application).visit(module, application.recurses);
}

}  // namespace assay::cuda
