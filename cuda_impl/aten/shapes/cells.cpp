// Result shapes of recurrent cells and attention.
#include <array>

#include "cuda_impl/aten/shapes/rows.hpp"

namespace assay::cuda::aten {
namespace {

/// `input, hx, …`: the new state has the shape of the old one.
Results cell(const ArgumentReader& given) { return {given.made(given.sizes(1), given.one_type())}; }

Results lstm_cell(const ArgumentReader& given) {
  const std::vector<Tensor> states = given.tensors(1);
  require(states.size() == 2, [] { return "lstm_cell expects two hidden states"; });
  const Dtype dtype = given.one_type();
  return {given.made(states[0].sizes(), dtype), given.made(states[1].sizes(), dtype)};
}

/// A fused cell also returns what its backward needs: a GRU, five values for each of the state.
Results fused_gru_cell(const ArgumentReader& given) {
  const Shape& state = given.sizes(2);
  const Dtype dtype = given.one_type();
  return {given.made(state, dtype), given.made(with_last(state, {from_end(state, 1) * 5}), dtype)};
}
Results fused_lstm_cell(const ArgumentReader& given) {
  const Shape& state = given.sizes(2);
  const Dtype dtype = given.one_type();
  return {given.made(state, dtype), given.made(state, dtype), given.made(given.sizes(0), dtype)};
}

/// Number of queries by width of the values.
Shape attended(const ArgumentReader& given) {
  return joined(leading(given.sizes(0), 1), {from_end(given.sizes(2), 1)});
}
Results attention(const ArgumentReader& given) {
  return {given.made(attended(given), given.one_type())};
}

/// Batch, heads, positions, width. Further results: float32 sums, values for packed batches, the
/// longest sequences, and the random number state.
Results flash_attention(const ArgumentReader& given) {
  const Shape& query = given.sizes(0);
  require(query.size() == 4, [&] { return "a query of " + to_text(query) + " has no heads"; });
  const Dtype dtype = given.one_type();
  return {given.made(attended(given), dtype),
          given.made(leading(query, 1), Dtype::kFloat32),
          Boxed(Tensor()),
          Boxed(Tensor()),
          Boxed(query[2]),
          Boxed(from_end(given.sizes(1), 2)),
          given.made({}, Dtype::kInt64),
          given.made({}, Dtype::kInt64),
          given.made({0}, dtype)};
}

/// `query, key, value, embed_dim, num_head, qkv_weight, qkv_bias, proj_weight, proj_bias, mask,
/// need_weights, average_attn_weights, mask_type`
Results multi_head_attention(const ArgumentReader& given) {
  const Shape& query = given.sizes(0);
  require(query.size() == 3, [&] { return "expected a 3-D query, got " + to_text(query); });
  const Dtype dtype = given.one_type();
  Results results = {given.made(query, dtype), Boxed(Tensor())};
  if (!given.flag(10)) return results;
  const std::int64_t keys = from_end(given.sizes(1), 2);
  const Shape weights = given.flag(11) ? Shape{query[0], query[1], keys}
                                       : Shape{query[0], given.integer(4), query[1], keys};
  results[1] = given.made(weights, dtype);
  return results;
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? "
     "b_hh=None) -> Tensor",
     cell},
    {"lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? "
     "b_hh=None) -> (Tensor, Tensor)",
     lstm_cell},
    {"_thnn_fused_gru_cell(Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? "
     "input_bias=None, Tensor? hidden_bias=None) -> (Tensor, Tensor)",
     fused_gru_cell},
    {"_thnn_fused_lstm_cell(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? "
     "input_bias=None, Tensor? hidden_bias=None) -> (Tensor, Tensor, Tensor)",
     fused_lstm_cell},
    {"scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? "
     "attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool "
     "enable_gqa=False) -> Tensor",
     attention},
    {"_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, float "
     "dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> "
     "(Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, int max_q, int max_k, "
     "Tensor philox_seed, Tensor philox_offset, Tensor debug_attn_mask)",
     flash_attention},
    {"_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int "
     "num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? "
     "mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None) -> "
     "(Tensor, Tensor)",
     multi_head_attention},
});

}  // namespace

std::span<const ShapeRow> cell_rows() { return kRows; }

}  // namespace assay::cuda::aten
