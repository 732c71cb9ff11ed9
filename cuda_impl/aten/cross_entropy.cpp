// Cross entropies of shares of classes and of smoothed labels.
#include "cuda_impl/aten/cross_entropy.hpp"

#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/losses.hpp"
#include "cuda_impl/autograd/views.hpp"

namespace assay::cuda::aten {
namespace {

enum : std::int64_t { kEach, kMean, kSum };

std::int64_t class_dim(const ArgumentReader& given) { return given.sizes(0).size() == 1 ? 0 : 1; }

std::int64_t class_count(const ArgumentReader& given) {
  return given.sizes(0).at(static_cast<std::size_t>(class_dim(given)));
}

/// Sums the classes, each times its weight; the dimension stays.
Tensor class_sums(const ArgumentReader& given, const Tensor& values) {
  Tensor scaled = values;
  if (given.has(2)) {
    Shape sizes(values.sizes().size(), 1);
    sizes[static_cast<std::size_t>(class_dim(given))] = class_count(given);
    scaled = autograd::mul(values, autograd::reshaped(given.tensor(2), sizes));
  }
  return autograd::sum(scaled, {.dims = {class_dim(given)}, .keepdim = true, .dtype = {}});
}

/// The sum of the weights of the targets that count.
Tensor target_weights(const ArgumentReader& given, const Tensor& logarithms) {
  const Tensor minus_one = full(logarithms.sizes(), -1, logarithms.dtype(), logarithms.device());
  return autograd::class_loss({minus_one, given.tensor(1), given.tensor(2), given.integer(4)},
                              Reduction::kSum);
}

}  // namespace

bool has_class_shares(const ArgumentReader& given) { return given.sizes(0) == given.sizes(1); }

void require_cross_entropy(const ArgumentReader& given) {
  const double smoothing = given.number(5).real();
  const bool has_shares = has_class_shares(given);
  require(smoothing <= 1 && (smoothing >= 0 || !has_shares), [&] {
    return "label_smoothing must be between 0.0 and 1.0. Got: " + std::to_string(smoothing);
  });
  if (!has_shares) return;
  require(facts(given.tensor(1).dtype()).is_floating, [&] {
    return "a target with class probabilities must be floating, not " + describe(given.tensor(1));
  });
  require(given.integer(4) < 0,
          [] { return "ignore_index is not supported for floating point target"; });
  require(!given.has(2) || given.sizes(2) == Shape{class_count(given)}, [&] {
    return "weight tensor should be defined either for all " + std::to_string(class_count(given)) +
           " classes or no classes, not " + describe(given.tensor(2));
  });
}

Tensor loss_of_shares(const ArgumentReader& given, const Tensor& logarithms) {
  const double smoothing = given.number(5).real();
  const auto classes = static_cast<double>(class_count(given));
  Tensor shares = given.tensor(1);
  if (smoothing > 0)
    shares =
        autograd::add(autograd::mul(shares, Scalar(1 - smoothing)), Scalar(smoothing / classes));
  const Tensor sums = autograd::neg(class_sums(given, autograd::mul(logarithms, shares)));
  Shape sizes = logarithms.sizes();
  sizes.erase(sizes.begin() + class_dim(given));
  const std::int64_t reduction = given.integer(3);
  require(reduction >= kEach && reduction <= kSum, [&] {
    return "Invalid reduction type encountered in cross_entropy: " + std::to_string(reduction);
  });
  const Tensor made = reduction == kEach ? autograd::reshaped(sums, sizes) : autograd::sum(sums);
  if (reduction != kMean) return made;
  return autograd::div(made, Scalar(static_cast<double>(logarithms.numel()) / classes));
}

/// Each target that is not ignored gets part of its loss equally from all classes.
Tensor smoothed_loss(const ArgumentReader& given, const Tensor& logarithms, const Tensor& loss) {
  const double smoothing = given.number(5).real();
  const bool has_weighted_mean = given.integer(3) == kMean && given.has(2);
  const Tensor spread = autograd::expanded(class_sums(given, logarithms), logarithms.sizes());
  const auto reduction =
      has_weighted_mean ? Reduction::kSum : static_cast<Reduction>(given.integer(3));
  Tensor even =
      autograd::class_loss({spread, given.tensor(1), Tensor(), given.integer(4)}, reduction);
  if (has_weighted_mean) even = autograd::div(even, target_weights(given, logarithms));
  const double share = smoothing / static_cast<double>(class_count(given));
  return autograd::add(autograd::mul(loss, Scalar(1 - smoothing)),
                       autograd::mul(even, Scalar(share)));
}

}  // namespace assay::cuda::aten
