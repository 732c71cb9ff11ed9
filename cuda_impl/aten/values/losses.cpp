// Losses by their names.
#include "cuda_impl/operators/losses.hpp"

#include <array>

#include "cuda_impl/aten/shapes/rows.hpp"
#include "cuda_impl/autograd/losses.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/promotion.hpp"

namespace assay::cuda::aten {
namespace {

Reduction reduction_at(const ArgumentReader& given, std::size_t i) {
  const std::int64_t number = given.integer(i);
  require(number >= 0 && number <= 2, [&] { return std::to_string(number) + " is no reduction"; });
  return static_cast<Reduction>(number);
}

/// The common dtype of the first two tensors.
Dtype common_type(const ArgumentReader& given) {
  const std::array<Operand, 2> two{given.tensor(0), given.tensor(1)};
  return result_type(two);
}

/// Losses of the first two tensors in their common dtype, with the reduction at `kReduction`.
template <std::size_t kReduction>
Results finished(const ArgumentReader& given, const Tensor& losses) {
  return {Boxed(reduced_loss(losses, reduction_at(given, kReduction), common_type(given)))};
}

template <std::size_t kReduction>
Results of_two(const ArgumentReader& given, LossKind kind, double limit = 1) {
  return finished<kReduction>(given, losses_of(kind, {given.tensor(0), given.tensor(1)}, limit));
}

Results l1(const ArgumentReader& given) { return of_two<2>(given, LossKind::kAbsolute); }

Results smooth_l1(const ArgumentReader& given) {
  const double beta = given.number(3).real();
  require(beta >= 0, [] { return "smooth_l1_loss does not support negative values for beta."; });
  return of_two<2>(given, LossKind::kSmooth, beta);
}

Results huber(const ArgumentReader& given) {
  const double delta = given.number(3).real();
  require(delta > 0, [] { return "huber_loss does not support non-positive values for delta."; });
  return of_two<2>(given, LossKind::kHuber, delta);
}

Results kl_div(const ArgumentReader& given) {
  return of_two<2>(given, given.flag(3) ? LossKind::kDivergenceOfLogs : LossKind::kDivergence);
}

Results soft_margin(const ArgumentReader& given) { return of_two<2>(given, LossKind::kSoftMargin); }

Results hinge_embedding(const ArgumentReader& given) {
  return of_two<3>(given, LossKind::kHinge, given.number(2).real());
}

/// The difference of the inputs has the float type that the loss is computed in.
Results margin_ranking(const ArgumentReader& given) {
  const auto wide = [&](std::size_t i) {
    const Tensor& tensor = given.tensor(i);
    return is_half(tensor.dtype()) ? to(tensor, Dtype::kFloat32) : tensor;
  };
  const Tensor losses =
      losses_of(LossKind::kRanking, {sub(wide(0), wide(1)), wide(2)}, given.number(3).real());
  const Reduction reduction = reduction_at(given, 4);
  const Tensor result = reduced_loss(losses, reduction, given.type());
  if (reduction == Reduction::kNone) result.bump_version();  // PyTorch clamps it in place
  return {Boxed(result)};
}

/// `input, target, log_input, full, eps, reduction`
Results poisson_nll(const ArgumentReader& given) {
  const LossOperands operands{given.tensor(0), given.tensor(1)};
  Tensor losses = given.flag(2) ? losses_of(LossKind::kPoissonOfLogs, operands)
                                : losses_of(LossKind::kPoisson, operands, given.number(4).real());
  if (given.flag(3)) losses = add(losses, losses_of(LossKind::kStirling, operands));
  return finished<5>(given, losses);
}

/// The CPU refuses other numbers; a device does not look.
void require_shares(const Tensor& tensor, const char* name) {
  if (!tensor.device().is_cpu() || tensor.numel() == 0) return;
  const Tensor numbers = contiguous(to(tensor, Dtype::kFloat64));
  const auto* values = static_cast<const double*>(numbers.data());
  for (std::int64_t i = 0; i < numbers.numel(); ++i) {
    require(values[i] >= 0 && values[i] <= 1,
            [&] { return "all elements of " + std::string(name) + " should be between 0 and 1"; });
  }
}

Results binary_cross_entropy(const ArgumentReader& given) {
  require(given.sizes(0) == given.sizes(1), [&] {
    return "Using a target size (" + to_text(given.sizes(1)) +
           ") that is different to the input size (" + to_text(given.sizes(0)) + ") is deprecated.";
  });
  require_shares(given.tensor(0), "input");
  if (given.release() >= Release::k2_11) require_shares(given.tensor(1), "target");
  Tensor losses = losses_of(LossKind::kProbability, {given.tensor(0), given.tensor(1)});
  if (given.has(2)) losses = mul(losses, to(given.tensor(2), losses.dtype()));
  return finished<3>(given, losses);
}

/// `self, target, weight, pos_weight, reduction`: z is 1 + (pos_weight - 1) * target.
Results with_logits(const ArgumentReader& given) {
  LossOperands operands{given.tensor(0), given.tensor(1)};
  if (given.has(3)) {
    const Dtype wide = common_type(given) == Dtype::kFloat64 ? Dtype::kFloat64 : Dtype::kFloat32;
    const Tensor more = sub(to(given.tensor(3), wide), Scalar(1));
    operands.third = add(mul(more, to(given.tensor(1), wide)), Scalar(1));
  }
  Tensor losses = losses_of(LossKind::kLogits, operands);
  if (given.has(2)) losses = mul(losses, to(given.tensor(2), losses.dtype()));
  return finished<4>(given, losses);
}

/// `self, target, weight, reduction, ignore_index`
Results nll(const ArgumentReader& given) {
  return {Boxed(autograd::class_loss({given.tensor(0), given.tensor(1),
                                      given.has(2) ? given.tensor(2) : Tensor(), given.integer(4)},
                                     reduction_at(given, 3)))};
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean) "
     "-> Tensor",
     binary_cross_entropy},
    {"binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? "
     "pos_weight=None, int reduction=Mean) -> Tensor",
     with_logits},
    {"hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=Mean) -> "
     "Tensor",
     hinge_embedding},
    {"huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) -> Tensor",
     huber},
    {"kl_div(Tensor self, Tensor target, int reduction=Mean, *, bool log_target=False) -> Tensor",
     kl_div},
    {"l1_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", l1},
    {"margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int "
     "reduction=Mean) -> Tensor",
     margin_ranking},
    {"nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, int "
     "ignore_index=-100) -> Tensor",
     nll},
    {"nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, int "
     "ignore_index=-100) -> Tensor",
     nll},
    {"poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int "
     "reduction) -> Tensor",
     poisson_nll},
    {"smooth_l1_loss(Tensor self, Tensor target, int reduction=Mean, float beta=1.0) -> Tensor",
     smooth_l1},
    {"soft_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", soft_margin},
});

}  // namespace

std::span<const ShapeRow> computed_loss_rows() { return kRows; }

}  // namespace assay::cuda::aten
