// The operator lists for CPUs (CAST-1001).
#include <array>

#include "cuda_impl/autocast/rules.hpp"

namespace assay::cuda::autocast {
namespace {

constexpr auto kLists = std::to_array<RuleList>({
    RuleList{CastPolicy::kLowerPrecision,
             {Release::k1_13},
             "_convolution.deprecated addbmm addmm baddbmm bmm conv1d conv1d.padding conv2d "
             "conv2d.padding conv3d conv3d.padding conv_tbc linear matmul mm"},
    RuleList{
        CastPolicy::kLowerPrecision,
        {Release::k2_4},
        "_native_multi_head_attention conv_transpose1d conv_transpose2d.input "
        "conv_transpose3d.input linalg_vecdot mkldnn_rnn_layer prelu scaled_dot_product_attention"},
    RuleList{CastPolicy::kLowerPrecision, {Release::k2_11}, "_addmm_activation"},
    RuleList{CastPolicy::kFp32,
             {Release::k1_13, Release::k1_13},
             "conv_transpose1d conv_transpose2d.input conv_transpose3d.input linalg_matrix_norm "
             "linalg_matrix_norm.str_ord symeig"},
    RuleList{
        CastPolicy::kFp32,
        {Release::k1_13},
        "_grid_sampler_2d_cpu_fallback _lu_with_info adaptive_avg_pool3d adaptive_max_pool3d "
        "avg_pool3d binary_cross_entropy binary_cross_entropy_with_logits cdist cholesky_inverse "
        "cholesky_solve cosine_embedding_loss cross_entropy_loss ctc_loss.IntList ctc_loss.Tensor "
        "fake_quantize_per_tensor_affine fft_fft fft_fft2 fft_fftn fft_hfft fft_ifft fft_ifft2 "
        "fft_ifftn fft_ihfft fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftn "
        "fractional_max_pool2d fractional_max_pool3d geqrf grid_sampler grid_sampler_2d "
        "grid_sampler_3d hinge_embedding_loss huber_loss inverse kl_div l1_loss linalg_cholesky "
        "linalg_cholesky_ex linalg_cond linalg_cond.p_str linalg_eig linalg_eigh linalg_eigvals "
        "linalg_eigvalsh linalg_householder_product linalg_inv linalg_inv_ex linalg_lstsq "
        "linalg_matrix_rank linalg_matrix_rank.atol_rtol_float linalg_matrix_rank.atol_rtol_tensor "
        "linalg_matrix_rank.tol_tensor linalg_qr linalg_solve linalg_svd linalg_svdvals "
        "linalg_tensorinv linalg_tensorsolve lu_solve margin_ranking_loss max_pool3d max_unpool2d "
        "max_unpool3d mse_loss multi_margin_loss multilabel_margin_loss "
        "multilabel_margin_loss_forward nanquantile nanquantile.scalar nll_loss nll_loss2d orgqr "
        "ormqr pinverse poisson_nll_loss polar prod prod.dim_int quantile quantile.scalar "
        "reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d replication_pad3d "
        "smooth_l1_loss soft_margin_loss stft stft.center svd trace triangular_solve "
        "triplet_margin_loss view_as_complex"},
    RuleList{CastPolicy::kFp32, {Release::k1_13, Release::k2_12}, "prod.dim_Dimname"},
    RuleList{CastPolicy::kFp32, {Release::k1_13, Release::k2_13}, "cholesky qr"},
    RuleList{CastPolicy::kFp32, {Release::k2_14}, "linalg_matrix_sqrth"},
    RuleList{CastPolicy::kPromote, {Release::k1_13}, "cat index_copy stack"},
    RuleList{CastPolicy::kPromote, {Release::k1_13, Release::k2_12}, "index_copy.dimname"},
});

}  // namespace

std::span<const RuleList> cpu_lists() { return kLists; }

}  // namespace assay::cuda::autocast
