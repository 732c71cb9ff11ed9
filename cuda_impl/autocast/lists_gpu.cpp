// The operator lists for CUDA and similar devices (CAST-1001).
#include <array>

#include "cuda_impl/autocast/rules.hpp"

namespace assay::cuda::autocast {
namespace {

/// Shared by CUDA, XPU, MTIA and MAIA.
constexpr auto kShared = std::to_array<RuleList>({
    RuleList{
        CastPolicy::kLowerPrecision,
        {Release::k1_13},
        "_convolution _convolution.deprecated _thnn_fused_gru_cell _thnn_fused_lstm_cell addbmm "
        "addmm addmv addr baddbmm bmm chain_matmul conv1d conv2d conv3d conv_tbc conv_transpose1d "
        "conv_transpose2d.input conv_transpose3d.input convolution einsum gru_cell "
        "linalg_multi_dot linear lstm_cell matmul mm mv prelu rnn_relu_cell rnn_tanh_cell"},
    RuleList{CastPolicy::kLowerPrecision,
             {Release::k2_4},
             "_scaled_dot_product_flash_attention linalg_vecdot scaled_dot_product_attention"},
    RuleList{CastPolicy::kFp32, {Release::k1_13, Release::k1_13}, "frobenius_norm"},
    RuleList{
        CastPolicy::kFp32,
        {Release::k1_13},
        "acos asin binary_cross_entropy_with_logits cdist cosh cosine_embedding_loss "
        "cosine_similarity dist erfinv exp expm1 frobenius_norm.dim group_norm "
        "hinge_embedding_loss huber_loss kl_div l1_loss layer_norm log log10 log1p log2 logsumexp "
        "margin_ranking_loss mse_loss multi_margin_loss multilabel_margin_loss native_layer_norm "
        "nll_loss nll_loss2d nuclear_norm nuclear_norm.dim pdist poisson_nll_loss pow.Scalar "
        "pow.Tensor_Scalar pow.Tensor_Tensor reciprocal renorm rsqrt sinh smooth_l1_loss "
        "soft_margin_loss softplus tan triplet_margin_loss"},
    RuleList{CastPolicy::kFp32,
             {Release::k2_4},
             "_upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_nearest_exact1d "
             "_upsample_nearest_exact2d _upsample_nearest_exact3d upsample_bicubic2d "
             "upsample_bilinear2d upsample_linear1d upsample_nearest1d upsample_nearest2d "
             "upsample_nearest3d upsample_trilinear3d"},
    RuleList{CastPolicy::kFp32, {Release::k2_12}, "rms_norm"},
    RuleList{CastPolicy::kFp32SetOptDtype,
             {Release::k1_13},
             "cumprod cumsum log_softmax.int prod prod.dim_int softmax.int sum sum.dim_IntList"},
    RuleList{CastPolicy::kFp32SetOptDtype,
             {Release::k1_13, Release::k2_12},
             "cumprod.dimname cumsum.dimname log_softmax.Dimname prod.dim_Dimname softmax.Dimname "
             "sum.dim_DimnameList"},
    RuleList{CastPolicy::kFp32SetOptDtype,
             {Release::k2_4},
             "linalg_matrix_norm linalg_matrix_norm.str_ord linalg_vector_norm"},
    RuleList{CastPolicy::kFp32AppendDtype, {Release::k1_13}, "norm.Scalar norm.ScalarOpt_dim"},
    RuleList{
        CastPolicy::kFp32AppendDtype, {Release::k1_13, Release::k2_12}, "norm.names_ScalarOpt_dim"},
    RuleList{
        CastPolicy::kPromote,
        {Release::k1_13},
        "addcdiv addcmul atan2 bilinear cross dot grid_sampler index_put scatter_add tensordot"},
    RuleList{CastPolicy::kPromote, {Release::k2_4}, "vdot"},
    RuleList{CastPolicy::kBanned, {Release::k1_13}, "binary_cross_entropy"},
});

/// CUDA only.
constexpr auto kCuda = std::to_array<RuleList>({
    RuleList{CastPolicy::kLowerPrecision,
             {Release::k1_13},
             "cudnn_convolution cudnn_convolution_transpose"},
    RuleList{CastPolicy::kFp32, {Release::k2_14}, "linalg_matrix_sqrth"},
    RuleList{CastPolicy::kRnn, {Release::k1_13}, "_cudnn_rnn"},
});

}  // namespace

std::span<const RuleList> gpu_lists() { return kShared; }
std::span<const RuleList> cuda_lists() { return kCuda; }

}  // namespace assay::cuda::autocast
