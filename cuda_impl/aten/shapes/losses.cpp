// Result shapes of losses: elementwise, or a single number.
#include <array>

#include "cuda_impl/aten/shapes/rows.hpp"

namespace assay::cuda::aten {
namespace {

/// A loss for each element, unless the reduction argument asks for one number.
template <std::size_t kReduction, ShapeRule kEach>
Results loss(const ArgumentReader& given) {
  const std::int64_t reduction = given.integer(kReduction);
  require(reduction >= 0 && reduction <= 2,
          [&] { return std::to_string(reduction) + " is no reduction"; });
  if (reduction != 0) return {given.made({})};
  return kEach(given);
}

Results of_two(const ArgumentReader& given) {
  return {given.made(broadcast(given.sizes(0), given.sizes(1)))};
}
Results of_three(const ArgumentReader& given) {
  const Shape both = broadcast(given.sizes(0), given.sizes(1));
  return {given.made(broadcast(both, given.sizes(2)))};
}
Results of_self(const ArgumentReader& given) { return {given.made(given.sizes(0))}; }
Results of_target(const ArgumentReader& given) { return {given.made(given.sizes(1))}; }

/// Class indices have the shape of the loss; class probabilities have one more dimension.
Results of_classes(const ArgumentReader& given) {
  if (!facts(given.tensor(1).dtype()).is_floating) return of_target(given);
  const Shape& sizes = given.sizes(0);
  return {given.made(reduced(sizes, {sizes.size() > 1 ? 1 : 0}, false))};
}

/// Time, batch, classes; without a batch, a single number.
Results of_batch_in_time(const ArgumentReader& given) {
  const Shape& sizes = given.sizes(0);
  expect_dims(sizes, 2);
  return {given.made(sizes.size() == 2 ? Shape() : Shape{sizes[1]})};
}

Results of_rows(const ArgumentReader& given) { return {given.made(leading(given.sizes(0), 1))}; }

/// Embeddings are in the last dimension.
Results of_embeddings(const ArgumentReader& given) {
  const Shape both = broadcast(given.sizes(0), given.sizes(1));
  return {given.made(broadcast(leading(both, 1), given.sizes(2)))};
}
Results of_triplets(const ArgumentReader& given) {
  const Shape both = broadcast(given.sizes(0), given.sizes(1));
  return {given.made(leading(broadcast(both, given.sizes(2)), 1))};
}

/// Also marks the target classes, with values of the loss's dtype.
Results with_targets(const ArgumentReader& given) {
  Results results = loss<2, of_rows>(given);
  results.push_back(given.made(given.sizes(1)));
  return results;
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean) "
     "-> Tensor",
     loss<3, of_self>},
    {"binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? "
     "pos_weight=None, int reduction=Mean) -> Tensor",
     loss<4, of_two>},
    {"cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int "
     "reduction=Mean) -> Tensor",
     loss<4, of_embeddings>},
    {"cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, int "
     "ignore_index=-100, float label_smoothing=0.0) -> Tensor",
     loss<3, of_classes>},
    {"ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
     "target_lengths, int blank=0, int reduction=Mean, bool zero_infinity=False) -> Tensor",
     loss<5, of_batch_in_time>},
    {"ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
     "target_lengths, int blank=0, int reduction=Mean, bool zero_infinity=False) -> Tensor",
     loss<5, of_batch_in_time>},
    {"hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=Mean) -> "
     "Tensor",
     loss<3, of_two>},
    {"huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) -> Tensor",
     loss<2, of_two>},
    {"kl_div(Tensor self, Tensor target, int reduction=Mean, *, bool log_target=False) -> Tensor",
     loss<2, of_two>},
    {"l1_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", loss<2, of_two>},
    {"margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int "
     "reduction=Mean) -> Tensor",
     loss<4, of_three>},
    {"multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? "
     "weight=None, int reduction=Mean) -> Tensor",
     loss<5, of_target>},
    {"multilabel_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
     loss<2, of_rows>},
    {"multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor "
     "output, Tensor is_target)",
     with_targets},
    {"nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, int "
     "ignore_index=-100) -> Tensor",
     loss<3, of_target>},
    {"nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, int "
     "ignore_index=-100) -> Tensor",
     loss<3, of_target>},
    {"poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int "
     "reduction) -> Tensor",
     loss<5, of_two>},
    {"smooth_l1_loss(Tensor self, Tensor target, int reduction=Mean, float beta=1.0) -> Tensor",
     loss<2, of_two>},
    {"soft_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", loss<2, of_two>},
    {"triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, "
     "float p=2, float eps=1e-06, bool swap=False, int reduction=Mean) -> Tensor",
     loss<7, of_triplets>},
});

}  // namespace

std::span<const ShapeRow> loss_rows() { return kRows; }

}  // namespace assay::cuda::aten
