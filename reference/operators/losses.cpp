// Elementwise losses of autocast's lists, and their reduction.
#include <cmath>

#include "reference/core/math/elementwise.hpp"
#include "reference/core/math/reduce.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/operators/operator.hpp"
#include "reference/operators/rows.hpp"

namespace assay::reference {
namespace {

using Reals = std::span<const double>;

Reduction reduction_of(std::int64_t number) {
  check(number >= 0 && number <= 2,
        [&] { return std::to_string(number) + " is not a valid value for reduction"; });
  return static_cast<Reduction>(number);
}

/// Half types are reduced in float32 and rounded once.
ScalarType wide_type(ScalarType dtype) {
  return dtype == ScalarType::kDouble ? dtype : ScalarType::kFloat;
}

/// The loss of each element or their sum or mean, in the common type of the operands.
Tensor loss_of(Runtime& runtime, const char* name, const std::vector<Operand>& operands,
               Reduction reduction, RealFunction each) {
  const ScalarType dtype = result_type(operands, runtime.contract());
  if (reduction == Reduction::kNone) {
    return map_real(runtime, name, operands, dtype, std::move(each));
  }
  check(is_floating(dtype), [&] {
    return std::string(name) + ": not implemented for '" + std::string(cpp_name_of(dtype)) + "'";
  });
  const Tensor losses = map_real(runtime, name, operands, wide_type(dtype), std::move(each));
  return as_dtype(
      runtime, reduction == Reduction::kSum ? sum(runtime, losses) : mean(runtime, losses), dtype);
}

/// A loss of the first `kTensors` arguments, with the reduction at `kReduction`.
template <std::size_t kTensors, std::size_t kReduction>
OpDefinition loss(const char* name, RealFunction (*each)(const BoxedArguments& args)) {
  const auto kernel = [=](Dispatcher& dispatcher, const BoxedArguments& args) {
    std::vector<Operand> operands;
    for (std::size_t i = 0; i < kTensors; ++i) operands.emplace_back(args.tensor(i));
    return IValue(loss_of(dispatcher.runtime(), name, operands,
                          reduction_of(args.integer(kReduction)), each(args)));
  };
  return {.name = name, .kernel = kernel};
}

RealFunction l1(const BoxedArguments&) {
  return [](Reals x) { return std::fabs(x[0] - x[1]); };
}

RealFunction smooth_l1(const BoxedArguments& args) {
  const double beta = args.real(3);
  check(beta >= 0, [] { return "smooth_l1_loss does not support negative values for beta."; });
  return [beta](Reals x) {
    const double z = std::fabs(x[0] - x[1]);
    return z < beta ? 0.5 * z * z / beta : z - 0.5 * beta;
  };
}

RealFunction huber(const BoxedArguments& args) {
  const double delta = args.real(3);
  check(delta > 0, [] { return "huber_loss does not support non-positive values for delta."; });
  return [delta](Reals x) {
    const double z = std::fabs(x[0] - x[1]);
    return z <= delta ? 0.5 * z * z : delta * (z - 0.5 * delta);
  };
}

/// x ln x, and 0 for 0.
double x_log_x(double x) { return x == 0 ? 0 : x * std::log(x); }

RealFunction kl_div(const BoxedArguments& args) {
  if (args.boolean(3)) return [](Reals x) { return std::exp(x[1]) * (x[1] - x[0]); };
  return [](Reals x) { return x_log_x(x[1]) - x[1] * x[0]; };
}

RealFunction soft_margin(const BoxedArguments&) {
  return [](Reals x) { return std::log1p(std::exp(-x[0] * x[1])); };
}

RealFunction hinge_embedding(const BoxedArguments& args) {
  return [margin = args.real(2)](Reals x) {
    const double apart = x[1] == 1 ? 0 : std::fmax(margin - x[0], 0);
    return (x[1] == -1 ? 0 : x[0]) + (std::isnan(x[0]) ? x[0] : apart);
  };
}

RealFunction margin_ranking(const BoxedArguments& args) {
  return [margin = args.real(3)](Reals x) {
    const double value = -x[2] * (x[0] - x[1]) + margin;
    return value < 0 ? 0 : value;
  };
}

RealFunction poisson_nll(const BoxedArguments& args) {
  return [is_log = args.boolean(2), is_full = args.boolean(3), eps = args.real(4)](Reals x) {
    const double loss = is_log ? std::exp(x[0]) - x[1] * x[0] : x[0] - x[1] * std::log(x[0] + eps);
    if (!is_full || x[1] <= 1) return loss;
    return loss + x[1] * std::log(x[1]) - x[1] + 0.5 * std::log(2 * M_PI * x[1]);
  };
}

/// The logarithm, but at least -100.
double bounded_log(double x) { return std::log(x) < -100 ? -100 : std::log(x); }

/// Only the CPU checks the range of the elements.
void check_shares(const Tensor& tensor, const char* name) {
  if (tensor.data() == nullptr || !tensor.device().is_cpu()) return;
  for (const double value : elements_of<double>(tensor)) {
    check(value >= 0 && value <= 1,
          [&] { return "all elements of " + std::string(name) + " should be between 0 and 1"; });
  }
}

/// The losses are clamped in place, which counts as a write.
IValue margin_ranking_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Reduction reduction = reduction_of(args.integer(4));
  Tensor result =
      loss_of(dispatcher.runtime(), "margin_ranking_loss",
              {args.tensor(0), args.tensor(1), args.tensor(2)}, reduction, margin_ranking(args));
  if (reduction == Reduction::kNone) note_write(dispatcher.runtime(), result);
  return IValue(result);
}

IValue binary_cross_entropy_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const Tensor self = args.tensor(0);
  check(self.sizes() == args.tensor(1).sizes(), [&] {
    return "Using a target size (" + to_text(args.tensor(1).sizes()) +
           ") that is different to the input size (" + to_text(self.sizes()) + ") is deprecated.";
  });
  std::vector<Operand> operands{self, args.tensor(1)};
  if (!args.is_none(2)) operands.emplace_back(args.tensor(2));
  check_shares(self, "input");
  if (runtime.contract().at_least(Release::k2_11)) check_shares(args.tensor(1), "target");
  return IValue(loss_of(
      runtime, "binary_cross_entropy", operands, reduction_of(args.integer(3)), [](Reals x) {
        const double loss = (x[1] - 1) * bounded_log(1 - x[0]) - x[1] * bounded_log(x[0]);
        return x.size() > 2 ? loss * x[2] : loss;
      }));
}

/// (1 - y) x + (1 + (p - 1) y) ln(1 + exp(-x)), with the weight p of positive targets.
IValue with_logits_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Operand one = Scalar(std::int64_t{1});
  const Operand weight = args.is_none(2) ? one : Operand(args.tensor(2));
  const bool is_plain = args.is_none(3);
  const Operand positive = is_plain ? one : Operand(args.tensor(3));
  const auto each = [is_plain](Reals x) {
    const double lost = std::log1p(std::exp(-std::fabs(x[0]))) + (x[0] < 0 ? -x[0] : 0);
    const double share = is_plain ? 1 : 1 + (x[3] - 1) * x[1];
    return x[2] * ((1 - x[1]) * x[0] + share * lost);
  };
  return IValue(loss_of(dispatcher.runtime(), "binary_cross_entropy_with_logits",
                        {args.tensor(0), args.tensor(1), weight, positive},
                        reduction_of(args.integer(4)), each));
}

}  // namespace

std::vector<OpDefinition> loss_operators() {
  return {
      loss<2, 2>("aten::l1_loss", l1),
      loss<2, 2>("aten::smooth_l1_loss", smooth_l1),
      loss<2, 2>("aten::huber_loss", huber),
      loss<2, 2>("aten::kl_div", kl_div),
      loss<2, 2>("aten::soft_margin_loss", soft_margin),
      loss<2, 3>("aten::hinge_embedding_loss", hinge_embedding),
      {.name = "aten::margin_ranking_loss", .kernel = margin_ranking_kernel},
      loss<2, 5>("aten::poisson_nll_loss", poisson_nll),
      {.name = "aten::binary_cross_entropy", .kernel = binary_cross_entropy_kernel},
      {.name = "aten::binary_cross_entropy_with_logits", .kernel = with_logits_kernel},
  };
}

}  // namespace assay::reference
