// The loss of the class that each target names, with its derivative.
#include "reference/autograd/closure_node.hpp"
#include "reference/autograd/steps.hpp"
#include "reference/core/math/reduce.hpp"
#include "reference/core/runtime.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"
#include "reference/operators/rows.hpp"

namespace assay::reference {
namespace {

struct ClassLoss {
  Tensor logarithms;  ///< [batch,] classes [, further sizes]
  Tensor target;      ///< the same without classes
  Tensor weight;      ///< one for each class, or undefined
  Reduction reduction;
  std::int64_t ignored;

  void check_sizes() const {
    const std::int64_t dims = logarithms.dim();
    check(dims >= 1 && (target.dim() == std::max<std::int64_t>(dims - 1, 0)), [&] {
      return "nll_loss: a target of shape " + to_text(target.sizes()) +
             " does not fit the input of shape " + to_text(logarithms.sizes());
    });
    Shape wanted = logarithms.sizes();
    wanted.erase(wanted.begin() + (dims > 1 ? 1 : 0));
    check(target.sizes() == wanted, [&] {
      return "size mismatch (got input: " + to_text(logarithms.sizes()) +
             " , target: " + to_text(target.sizes()) + ")";
    });
    check(target.dtype() == ScalarType::kLong || target.dtype() == ScalarType::kByte,
          [] { return "expected scalar type Long for the target of nll_loss"; });
    const std::int64_t classes = logarithms.size(dims > 1 ? 1 : 0);
    check(!weight.defined() || weight.sizes() == Shape{classes}, [&] {
      return "weight tensor should be defined either for all " + std::to_string(classes) +
             " classes or no classes but got weight tensor of shape: " + to_text(weight.sizes());
    });
    check(!weight.defined() || weight.dtype() == logarithms.dtype(),
          [] { return "nll_loss: expected the weight to have the type of the input"; });
  }

  /// Calls `each(target, place, weight)` for each target that counts, with the place of its
  /// logarithm.
  template <typename T, typename Each>
  void for_targets(const Each& each) const {
    const std::vector<T> weights = elements_of<T>(weight);
    const std::vector<double> targets = elements_of<double>(target);
    const auto classes = static_cast<std::size_t>(logarithms.size(logarithms.dim() > 1 ? 1 : 0));
    const std::size_t plane = logarithms.dim() < 3 || logarithms.size(0) == 0
                                  ? 1
                                  : targets.size() / static_cast<std::size_t>(logarithms.size(0));
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (static_cast<std::int64_t>(targets[i]) == ignored) continue;
      check(targets[i] >= 0 && targets[i] < static_cast<double>(classes), ErrorKind::kIndex,
            [&] { return "Target " + std::to_string(targets[i]) + " is out of bounds."; });
      const auto at = static_cast<std::size_t>(targets[i]);
      each(i, (i / plane * classes + at) * plane + i % plane, weights.empty() ? T{1} : weights[at]);
    }
  }

  /// The mean divides by the weights of the targets that count.
  template <typename T>
  std::vector<T> losses() const {
    const std::vector<T> values = elements_of<T>(logarithms);
    std::vector<T> all(static_cast<std::size_t>(target.numel()), 0);
    T sum = 0;
    for_targets<T>([&](std::size_t i, std::size_t place, T share) {
      all[i] = -values[place] * share;
      sum += all[i];
    });
    if (reduction == Reduction::kNone) return all;
    return {reduction == Reduction::kSum ? sum : sum / total<T>()};
  }

  template <typename T>
  T total() const {
    T sum = 0;
    for_targets<T>([&](std::size_t, std::size_t, T share) { sum += share; });
    return sum;
  }

  /// The gradients of all logarithms, from those of the losses of the targets.
  template <typename T>
  std::vector<T> slopes(const std::vector<T>& gradients) const {
    std::vector<T> all(static_cast<std::size_t>(logarithms.numel()), 0);
    for_targets<T>(
        [&](std::size_t i, std::size_t place, T share) { all[place] = -share * gradients[i]; });
    return all;
  }

  ClassLoss held() const {
    return {borrowed(logarithms), borrowed(target), borrowed(weight), reduction, ignored};
  }
};

/// One tensor computed from the elements of the loss: `elements(held loss, T) -> std::vector<T>`.
template <typename Elements>
Tensor made_of(Runtime& runtime, const ClassLoss& given, const Shape& sizes, Elements elements) {
  const Tensor& like = given.logarithms;
  Tensor result = empty(runtime, sizes, like.dtype(), like.device());
  count_launch(runtime, like.device());
  if (result.data() == nullptr) return result;
  launch_compute(runtime, like.device(), "nll_loss", like.dtype(),
                 [held = given.held(), to = borrowed(result), elements]<typename T>(T) {
                   store_elements(to, elements(held, T{}));
                 });
  return result;
}

Tensor losses_of(Runtime& runtime, const ClassLoss& given) {
  const bool is_each = given.reduction == Reduction::kNone;
  return made_of(runtime, given, is_each ? given.target.sizes() : Shape{},
                 []<typename T>(const ClassLoss& held, T) { return held.losses<T>(); });
}

IValue nll_loss_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  check(args.integer(3) >= 0 && args.integer(3) <= 2,
        [&] { return std::to_string(args.integer(3)) + " is not a valid value for reduction"; });
  Runtime& runtime = dispatcher.runtime();
  const ClassLoss given{args.tensor(0), args.tensor(1), args.tensor(2),
                        static_cast<Reduction>(args.integer(3)), args.integer(4)};
  given.check_sizes();
  common_device({given.logarithms, given.target, given.weight}, "nll_loss");
  check(is_floating(given.logarithms.dtype()), ErrorKind::kNotImplemented, [&] {
    return "\"nll_loss\" not implemented for '" +
           std::string(cpp_name_of(given.logarithms.dtype())) + "'";
  });
  const bool is_constant = !given.weight.defined() || !given.weight.requires_grad();
  check(is_constant || !is_grad_enabled(runtime),
        [] { return "nll_loss is not differentiable with respect to its weight"; });
  return IValue(losses_of(runtime, given));
}

/// Linear in the gradient of the losses, which its own derivative picks as the loss picks.
Tensor slopes_of(Runtime& runtime, ClassLoss given, const Tensor& grad) {
  given.logarithms = detach(given.logarithms);
  const Tensor slopes = made_of(runtime, given, given.logarithms.sizes(),
                                [from = borrowed(grad)]<typename T>(const ClassLoss& held, T) {
                                  return held.slopes<T>(elements_of<T>(from));
                                });
  record(runtime, "nll_loss_backward", {grad}, slopes,
         [given](Runtime& later, const Tensor& above) {
           const ClassLoss each{above, given.target, given.weight, Reduction::kNone, given.ignored};
           const Tensor picked = losses_of(later, each);
           record(later, "nll_loss", {above}, picked, [each](Runtime& last, const Tensor& outer) {
             return Gradients{slopes_of(last, each, outer)};
           });
           return Gradients{picked};
         });
  return slopes;
}

/// The mean first divides by the total of the weights, both in the type of the loss.
Gradients nll_loss_derivative(const DerivativeCall& call, const Tensor& grad) {
  Runtime& runtime = call.dispatcher().runtime();
  const ClassLoss given{call.argument(0), call.argument(1), call.argument(2),
                        static_cast<Reduction>(call.plain().integer(3)), call.plain().integer(4)};
  Tensor each = grad;
  if (given.reduction == Reduction::kMean) {
    const Tensor total = made_of(runtime, given, {}, []<typename T>(const ClassLoss& held, T) {
      return std::vector<T>{held.total<T>()};
    });
    each = call_tensor(call.dispatcher(), "aten::div.Tensor", {IValue(grad), IValue(total)});
  }
  each = expanded(runtime, each, given.target.sizes());
  Gradients grads{slopes_of(runtime, given, each), {}};
  if (given.weight.defined()) grads.push_back({});
  return grads;
}

OpDefinition nll_loss(std::string_view name) {
  return {.name = name,
          .kernel = nll_loss_kernel,
          .derivative = nll_loss_derivative,
          .keeps = {{0, 0}, {1, 0}, {2, 0}}};
}

}  // namespace

std::vector<OpDefinition> class_loss_operators() {
  return {nll_loss("aten::nll_loss"), nll_loss("aten::nll_loss2d")};
}

}  // namespace assay::reference
