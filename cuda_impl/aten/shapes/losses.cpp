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

Results of_target(const ArgumentReader& given) { return {given.made(given.sizes(1))}; }

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
    {"cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int "
     "reduction=Mean) -> Tensor",
     loss<4, of_embeddings>},
    {"ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
     "target_lengths, int blank=0, int reduction=Mean, bool zero_infinity=False) -> Tensor",
     loss<5, of_batch_in_time>},
    {"ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
     "target_lengths, int blank=0, int reduction=Mean, bool zero_infinity=False) -> Tensor",
     loss<5, of_batch_in_time>},
    {"multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? "
     "weight=None, int reduction=Mean) -> Tensor",
     loss<5, of_target>},
    {"multilabel_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
     loss<2, of_rows>},
    {"multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor "
     "output, Tensor is_target)",
     with_targets},
    {"triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, "
     "float p=2, float eps=1e-06, bool swap=False, int reduction=Mean) -> Tensor",
     loss<7, of_triplets>},
});

}  // namespace

std::span<const ShapeRow> loss_rows() { return kRows; }

}  // namespace assay::cuda::aten
