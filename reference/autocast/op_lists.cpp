// The names of the policies, and the operator lists of all devices and releases (CAST-1001,
// CAST-1003).
#include "reference/autocast/op_lists.hpp"

#include <algorithm>
#include <array>

namespace assay::reference {
namespace {

constexpr std::array<std::string_view, 7> kNames{
    "lower_precision_fp",  "fp32", "fp32_set_opt_dtype", "fp32_append_dtype", "promote", "banned",
    "custom_rnn_reflatten"};

}  // namespace

std::string_view name_of(CastPolicy policy) { return kNames[static_cast<std::size_t>(policy)]; }

std::optional<CastPolicy> cast_policy_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<CastPolicy>(found - kNames.begin());
}

// The lists.

namespace {

/// The releases of a range, a bit each.
constexpr unsigned in(Release since, Release until = kNewestRelease) {
  unsigned bits = 0;
  for (const Release release : kReleases) {
    const bool is_in = since <= release && release <= until;
    bits |= is_in ? 1U << static_cast<unsigned>(release) : 0;
  }
  return bits;
}

/// The lists: that of CPUs in the lowest bits, then that of CUDA and of those like it, and of MPS.
constexpr unsigned kCudaAt = kReleases.size(), kMpsAt = 2 * kReleases.size();
constexpr unsigned cpu(unsigned releases) { return releases; }
constexpr unsigned cuda(unsigned releases) { return releases << kCudaAt; }
constexpr unsigned kCpu = cpu(in(Release::k1_13)), kCpuFrom2_4 = cpu(in(Release::k2_4));
constexpr unsigned kFirst = in(Release::k1_13, Release::k1_13);
constexpr unsigned kCpuOnly1_13 = cpu(kFirst), kCudaOnly1_13 = cuda(kFirst);
constexpr unsigned kCpuFrom2_11 = cpu(in(Release::k2_11)), kCpuFrom2_14 = cpu(in(Release::k2_14));
constexpr unsigned kCuda = cuda(in(Release::k1_13)), kCudaFrom2_4 = cuda(in(Release::k2_4));
constexpr unsigned kCudaFrom2_12 = cuda(in(Release::k2_12));
constexpr unsigned kCudaFrom2_14 = cuda(in(Release::k2_14));
constexpr unsigned kMps = in(Release::k2_11) << kMpsAt;  // since 2.5
constexpr unsigned kCpuUntil2_13 = cpu(in(Release::k1_13, Release::k2_13));

// Overloads with names of dimensions.
constexpr unsigned kNamed = in(Release::k1_13, Release::k2_12);
constexpr unsigned kCpuNamed = cpu(kNamed), kCudaNamed = cuda(kNamed);
constexpr unsigned kMpsNamed = in(Release::k2_11, Release::k2_12) << kMpsAt;

struct Row {
  std::string_view op;
  CastPolicy policy;
  unsigned where;
};

constexpr Row kRows[] = {
    {"aten::_addmm_activation", CastPolicy::kLower, kCpuFrom2_11},
    {"aten::_convolution", CastPolicy::kLower, kCuda | kMps},
    {"aten::_convolution.deprecated", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::_mps_convolution", CastPolicy::kLower, kMps},
    {"aten::_native_multi_head_attention", CastPolicy::kLower, kCpuFrom2_4},
    {"aten::_scaled_dot_product_flash_attention", CastPolicy::kLower, kCudaFrom2_4},
    {"aten::_thnn_fused_gru_cell", CastPolicy::kLower, kCuda},
    {"aten::_thnn_fused_lstm_cell", CastPolicy::kLower, kCuda},
    {"aten::addbmm", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::addmm", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::addmv", CastPolicy::kLower, kCuda | kMps},
    {"aten::addr", CastPolicy::kLower, kCuda | kMps},
    {"aten::baddbmm", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::bmm", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::chain_matmul", CastPolicy::kLower, kCuda | kMps},
    {"aten::conv1d", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::conv1d.padding", CastPolicy::kLower, kCpu},
    {"aten::conv2d", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::conv2d.padding", CastPolicy::kLower, kCpu},
    {"aten::conv3d", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::conv3d.padding", CastPolicy::kLower, kCpu},
    {"aten::conv_tbc", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::conv_transpose1d", CastPolicy::kLower, kCpuFrom2_4 | kCuda | kMps},
    {"aten::conv_transpose2d.input", CastPolicy::kLower, kCpuFrom2_4 | kCuda | kMps},
    {"aten::conv_transpose3d.input", CastPolicy::kLower, kCpuFrom2_4 | kCuda},
    {"aten::convolution", CastPolicy::kLower, kCuda | kMps},
    {"aten::cudnn_convolution", CastPolicy::kLower, kCuda},
    {"aten::cudnn_convolution_transpose", CastPolicy::kLower, kCuda},
    {"aten::einsum", CastPolicy::kLower, kCuda | kMps},
    {"aten::gru_cell", CastPolicy::kLower, kCuda},
    {"aten::linalg_multi_dot", CastPolicy::kLower, kCuda | kMps},
    {"aten::linalg_vecdot", CastPolicy::kLower, kCpuFrom2_4 | kCudaFrom2_4},
    {"aten::linear", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::lstm_cell", CastPolicy::kLower, kCuda | kMps},
    {"aten::matmul", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::mkldnn_rnn_layer", CastPolicy::kLower, kCpuFrom2_4},
    {"aten::mm", CastPolicy::kLower, kCpu | kCuda | kMps},
    {"aten::mv", CastPolicy::kLower, kCuda | kMps},
    {"aten::prelu", CastPolicy::kLower, kCpuFrom2_4 | kCuda | kMps},
    {"aten::rnn_relu_cell", CastPolicy::kLower, kCuda},
    {"aten::rnn_tanh_cell", CastPolicy::kLower, kCuda},
    {"aten::scaled_dot_product_attention", CastPolicy::kLower, kCpuFrom2_4 | kCudaFrom2_4 | kMps},
    {"aten::_grid_sampler_2d_cpu_fallback", CastPolicy::kFp32, kCpu},
    {"aten::_lu_with_info", CastPolicy::kFp32, kCpu},
    {"aten::_upsample_bicubic2d_aa", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::_upsample_bilinear2d_aa", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::_upsample_nearest_exact1d", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::_upsample_nearest_exact2d", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::_upsample_nearest_exact3d", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::acos", CastPolicy::kFp32, kCuda | kMps},
    {"aten::adaptive_avg_pool3d", CastPolicy::kFp32, kCpu},
    {"aten::adaptive_max_pool3d", CastPolicy::kFp32, kCpu},
    {"aten::asin", CastPolicy::kFp32, kCuda | kMps},
    {"aten::avg_pool3d", CastPolicy::kFp32, kCpu},
    {"aten::batch_norm", CastPolicy::kFp32, kMps},
    {"aten::binary_cross_entropy", CastPolicy::kFp32, kCpu},
    {"aten::binary_cross_entropy_with_logits", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::cdist", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::cholesky", CastPolicy::kFp32, kCpuUntil2_13},
    {"aten::cholesky_inverse", CastPolicy::kFp32, kCpu},
    {"aten::cholesky_solve", CastPolicy::kFp32, kCpu},
    {"aten::conv_transpose1d", CastPolicy::kFp32, kCpuOnly1_13},
    {"aten::conv_transpose2d.input", CastPolicy::kFp32, kCpuOnly1_13},
    {"aten::conv_transpose3d.input", CastPolicy::kFp32, kCpuOnly1_13 | kMps},
    {"aten::cosh", CastPolicy::kFp32, kCuda | kMps},
    {"aten::cosine_embedding_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::cosine_similarity", CastPolicy::kFp32, kCuda | kMps},
    {"aten::cross_entropy_loss", CastPolicy::kFp32, kCpu},
    {"aten::ctc_loss.IntList", CastPolicy::kFp32, kCpu},
    {"aten::ctc_loss.Tensor", CastPolicy::kFp32, kCpu},
    {"aten::cumprod", CastPolicy::kFp32, kMps},
    {"aten::cumprod.dimname", CastPolicy::kFp32, kMpsNamed},
    {"aten::cumsum", CastPolicy::kFp32, kMps},
    {"aten::cumsum.dimname", CastPolicy::kFp32, kMpsNamed},
    {"aten::dist", CastPolicy::kFp32, kCuda | kMps},
    {"aten::erfinv", CastPolicy::kFp32, kCuda | kMps},
    {"aten::exp", CastPolicy::kFp32, kCuda | kMps},
    {"aten::expm1", CastPolicy::kFp32, kCuda | kMps},
    {"aten::fake_quantize_per_tensor_affine", CastPolicy::kFp32, kCpu},
    {"aten::fft_fft", CastPolicy::kFp32, kCpu},
    {"aten::fft_fft2", CastPolicy::kFp32, kCpu},
    {"aten::fft_fftn", CastPolicy::kFp32, kCpu},
    {"aten::fft_hfft", CastPolicy::kFp32, kCpu},
    {"aten::fft_ifft", CastPolicy::kFp32, kCpu},
    {"aten::fft_ifft2", CastPolicy::kFp32, kCpu},
    {"aten::fft_ifftn", CastPolicy::kFp32, kCpu},
    {"aten::fft_ihfft", CastPolicy::kFp32, kCpu},
    {"aten::fft_irfft", CastPolicy::kFp32, kCpu},
    {"aten::fft_irfft2", CastPolicy::kFp32, kCpu},
    {"aten::fft_irfftn", CastPolicy::kFp32, kCpu},
    {"aten::fft_rfft", CastPolicy::kFp32, kCpu},
    {"aten::fft_rfft2", CastPolicy::kFp32, kCpu},
    {"aten::fft_rfftn", CastPolicy::kFp32, kCpu},
    {"aten::fractional_max_pool2d", CastPolicy::kFp32, kCpu},
    {"aten::fractional_max_pool3d", CastPolicy::kFp32, kCpu},
    {"aten::frobenius_norm", CastPolicy::kFp32, kCudaOnly1_13},
    {"aten::frobenius_norm.dim", CastPolicy::kFp32, kCuda | kMps},
    {"aten::geqrf", CastPolicy::kFp32, kCpu},
    {"aten::grid_sampler", CastPolicy::kFp32, kCpu},
    {"aten::grid_sampler_2d", CastPolicy::kFp32, kCpu},
    {"aten::grid_sampler_3d", CastPolicy::kFp32, kCpu},
    {"aten::group_norm", CastPolicy::kFp32, kCuda | kMps},
    {"aten::hinge_embedding_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::huber_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::inverse", CastPolicy::kFp32, kCpu},
    {"aten::kl_div", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::l1_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::layer_norm", CastPolicy::kFp32, kCuda | kMps},
    {"aten::linalg_cholesky", CastPolicy::kFp32, kCpu},
    {"aten::linalg_cholesky_ex", CastPolicy::kFp32, kCpu},
    {"aten::linalg_cond", CastPolicy::kFp32, kCpu},
    {"aten::linalg_cond.p_str", CastPolicy::kFp32, kCpu},
    {"aten::linalg_eig", CastPolicy::kFp32, kCpu},
    {"aten::linalg_eigh", CastPolicy::kFp32, kCpu},
    {"aten::linalg_eigvals", CastPolicy::kFp32, kCpu},
    {"aten::linalg_eigvalsh", CastPolicy::kFp32, kCpu},
    {"aten::linalg_householder_product", CastPolicy::kFp32, kCpu},
    {"aten::linalg_inv", CastPolicy::kFp32, kCpu},
    {"aten::linalg_inv_ex", CastPolicy::kFp32, kCpu},
    {"aten::linalg_lstsq", CastPolicy::kFp32, kCpu},
    {"aten::linalg_matrix_norm", CastPolicy::kFp32, kCpuOnly1_13 | kMps},
    {"aten::linalg_matrix_norm.str_ord", CastPolicy::kFp32, kCpuOnly1_13 | kMps},
    {"aten::linalg_matrix_rank", CastPolicy::kFp32, kCpu},
    {"aten::linalg_matrix_rank.atol_rtol_float", CastPolicy::kFp32, kCpu},
    {"aten::linalg_matrix_rank.atol_rtol_tensor", CastPolicy::kFp32, kCpu},
    {"aten::linalg_matrix_rank.tol_tensor", CastPolicy::kFp32, kCpu},
    {"aten::linalg_matrix_sqrth", CastPolicy::kFp32, kCpuFrom2_14 | kCudaFrom2_14},
    {"aten::linalg_qr", CastPolicy::kFp32, kCpu},
    {"aten::linalg_solve", CastPolicy::kFp32, kCpu},
    {"aten::linalg_svd", CastPolicy::kFp32, kCpu},
    {"aten::linalg_svdvals", CastPolicy::kFp32, kCpu},
    {"aten::linalg_tensorinv", CastPolicy::kFp32, kCpu},
    {"aten::linalg_tensorsolve", CastPolicy::kFp32, kCpu},
    {"aten::linalg_vector_norm", CastPolicy::kFp32, kMps},
    {"aten::log", CastPolicy::kFp32, kCuda | kMps},
    {"aten::log10", CastPolicy::kFp32, kCuda | kMps},
    {"aten::log1p", CastPolicy::kFp32, kCuda | kMps},
    {"aten::log2", CastPolicy::kFp32, kCuda | kMps},
    {"aten::log_softmax.Dimname", CastPolicy::kFp32, kMpsNamed},
    {"aten::log_softmax.int", CastPolicy::kFp32, kMps},
    {"aten::logsumexp", CastPolicy::kFp32, kCuda | kMps},
    {"aten::lu_solve", CastPolicy::kFp32, kCpu},
    {"aten::margin_ranking_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::max_pool3d", CastPolicy::kFp32, kCpu},
    {"aten::max_unpool2d", CastPolicy::kFp32, kCpu},
    {"aten::max_unpool3d", CastPolicy::kFp32, kCpu},
    {"aten::mse_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::multi_margin_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::multilabel_margin_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::multilabel_margin_loss_forward", CastPolicy::kFp32, kCpu},
    {"aten::nanquantile", CastPolicy::kFp32, kCpu},
    {"aten::nanquantile.scalar", CastPolicy::kFp32, kCpu},
    {"aten::native_layer_norm", CastPolicy::kFp32, kCuda | kMps},
    {"aten::nll_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::nll_loss2d", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::nuclear_norm", CastPolicy::kFp32, kCuda | kMps},
    {"aten::nuclear_norm.dim", CastPolicy::kFp32, kCuda | kMps},
    {"aten::orgqr", CastPolicy::kFp32, kCpu},
    {"aten::ormqr", CastPolicy::kFp32, kCpu},
    {"aten::pdist", CastPolicy::kFp32, kCuda | kMps},
    {"aten::pinverse", CastPolicy::kFp32, kCpu},
    {"aten::poisson_nll_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::polar", CastPolicy::kFp32, kCpu},
    {"aten::pow.Scalar", CastPolicy::kFp32, kCuda | kMps},
    {"aten::pow.Tensor_Scalar", CastPolicy::kFp32, kCuda | kMps},
    {"aten::pow.Tensor_Tensor", CastPolicy::kFp32, kCuda | kMps},
    {"aten::prod", CastPolicy::kFp32, kCpu | kMps},
    {"aten::prod.dim_Dimname", CastPolicy::kFp32, kCpuNamed | kMpsNamed},
    {"aten::prod.dim_int", CastPolicy::kFp32, kCpu | kMps},
    {"aten::qr", CastPolicy::kFp32, kCpuUntil2_13},
    {"aten::quantile", CastPolicy::kFp32, kCpu},
    {"aten::quantile.scalar", CastPolicy::kFp32, kCpu},
    {"aten::reciprocal", CastPolicy::kFp32, kCuda | kMps},
    {"aten::reflection_pad1d", CastPolicy::kFp32, kCpu},
    {"aten::reflection_pad2d", CastPolicy::kFp32, kCpu},
    {"aten::renorm", CastPolicy::kFp32, kCuda | kMps},
    {"aten::replication_pad1d", CastPolicy::kFp32, kCpu},
    {"aten::replication_pad2d", CastPolicy::kFp32, kCpu},
    {"aten::replication_pad3d", CastPolicy::kFp32, kCpu},
    {"aten::rms_norm", CastPolicy::kFp32, kCudaFrom2_12},
    {"aten::rsqrt", CastPolicy::kFp32, kCuda | kMps},
    {"aten::sinh", CastPolicy::kFp32, kCuda | kMps},
    {"aten::smooth_l1_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::soft_margin_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::softmax.Dimname", CastPolicy::kFp32, kMpsNamed},
    {"aten::softmax.int", CastPolicy::kFp32, kMps},
    {"aten::softplus", CastPolicy::kFp32, kCuda | kMps},
    {"aten::stft", CastPolicy::kFp32, kCpu},
    {"aten::stft.center", CastPolicy::kFp32, kCpu},
    {"aten::sum", CastPolicy::kFp32, kMps},
    {"aten::sum.dim_DimnameList", CastPolicy::kFp32, kMpsNamed},
    {"aten::sum.dim_IntList", CastPolicy::kFp32, kMps},
    {"aten::svd", CastPolicy::kFp32, kCpu},
    {"aten::symeig", CastPolicy::kFp32, kCpuOnly1_13},
    {"aten::tan", CastPolicy::kFp32, kCuda | kMps},
    {"aten::trace", CastPolicy::kFp32, kCpu},
    {"aten::triangular_solve", CastPolicy::kFp32, kCpu},
    {"aten::triplet_margin_loss", CastPolicy::kFp32, kCpu | kCuda | kMps},
    {"aten::upsample_bicubic2d", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::upsample_bilinear2d", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::upsample_linear1d", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::upsample_nearest1d", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::upsample_nearest2d", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::upsample_nearest3d", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::upsample_trilinear3d", CastPolicy::kFp32, kCudaFrom2_4},
    {"aten::view_as_complex", CastPolicy::kFp32, kCpu},
    {"aten::cumprod", CastPolicy::kSetOpt, kCuda},
    {"aten::cumprod.dimname", CastPolicy::kSetOpt, kCudaNamed},
    {"aten::cumsum", CastPolicy::kSetOpt, kCuda},
    {"aten::cumsum.dimname", CastPolicy::kSetOpt, kCudaNamed},
    {"aten::linalg_matrix_norm", CastPolicy::kSetOpt, kCudaFrom2_4},
    {"aten::linalg_matrix_norm.str_ord", CastPolicy::kSetOpt, kCudaFrom2_4},
    {"aten::linalg_vector_norm", CastPolicy::kSetOpt, kCudaFrom2_4},
    {"aten::log_softmax.Dimname", CastPolicy::kSetOpt, kCudaNamed},
    {"aten::log_softmax.int", CastPolicy::kSetOpt, kCuda},
    {"aten::prod", CastPolicy::kSetOpt, kCuda},
    {"aten::prod.dim_Dimname", CastPolicy::kSetOpt, kCudaNamed},
    {"aten::prod.dim_int", CastPolicy::kSetOpt, kCuda},
    {"aten::softmax.Dimname", CastPolicy::kSetOpt, kCudaNamed},
    {"aten::softmax.int", CastPolicy::kSetOpt, kCuda},
    {"aten::sum", CastPolicy::kSetOpt, kCuda},
    {"aten::sum.dim_DimnameList", CastPolicy::kSetOpt, kCudaNamed},
    {"aten::sum.dim_IntList", CastPolicy::kSetOpt, kCuda},
    {"aten::norm.Scalar", CastPolicy::kAppend, kCuda},
    {"aten::norm.ScalarOpt_dim", CastPolicy::kAppend, kCuda},
    {"aten::norm.names_ScalarOpt_dim", CastPolicy::kAppend, kCudaNamed},
    {"aten::addcdiv", CastPolicy::kPromote, kCuda | kMps},
    {"aten::addcmul", CastPolicy::kPromote, kCuda | kMps},
    {"aten::atan2", CastPolicy::kPromote, kCuda | kMps},
    {"aten::bilinear", CastPolicy::kPromote, kCuda | kMps},
    {"aten::cat", CastPolicy::kPromote, kCpu},
    {"aten::cross", CastPolicy::kPromote, kCuda | kMps},
    {"aten::dot", CastPolicy::kPromote, kCuda | kMps},
    {"aten::grid_sampler", CastPolicy::kPromote, kCuda | kMps},
    {"aten::index_copy", CastPolicy::kPromote, kCpu},
    {"aten::index_copy.dimname", CastPolicy::kPromote, kCpuNamed},
    {"aten::index_put", CastPolicy::kPromote, kCuda | kMps},
    {"aten::scatter_add", CastPolicy::kPromote, kCuda | kMps},
    {"aten::stack", CastPolicy::kPromote, kCpu},
    {"aten::tensordot", CastPolicy::kPromote, kCuda | kMps},
    {"aten::vdot", CastPolicy::kPromote, kCudaFrom2_4},
    {"aten::binary_cross_entropy", CastPolicy::kBanned, kCuda},
    {"aten::_cudnn_rnn", CastPolicy::kRnn, kCuda},
};

unsigned bit_of(DeviceType device, Release release) {
  const unsigned own = in(release, release);
  switch (device) {
    case DeviceType::kCpu:
      return cpu(own);
    case DeviceType::kCuda:
      return cuda(own);
    case DeviceType::kXpu:
      return release == Release::k1_13 ? 0 : cuda(own);
    case DeviceType::kMtia:
    case DeviceType::kOrt:
      return release >= Release::k2_11 ? cuda(own) : 0;
    case DeviceType::kMps:
      return own << kMpsAt;
    default:
      return 0;
  }
}

/// Missing from the lists of XPU, MTIA and MAIA, which are else that of CUDA.
bool is_only_of_cuda(std::string_view op) {
  return op.find("cudnn") != std::string_view::npos || op == "aten::linalg_matrix_sqrth";
}

/// 1.13 builds without CUDA lack cuDNN's RNN.
bool is_missing(std::string_view op, DeviceType device, const Contract& contract) {
  const bool is_like_cuda =
      device == DeviceType::kXpu || device == DeviceType::kMtia || device == DeviceType::kOrt;
  if (is_like_cuda && is_only_of_cuda(op)) return true;
  if (device != DeviceType::kCuda) return false;
  return op == "aten::_cudnn_rnn" && contract.release == Release::k1_13 && !contract.cuda();
}

}  // namespace

std::vector<ListedOp> op_list(DeviceType device, const Contract& contract) {
  std::vector<ListedOp> listed;
  const unsigned bit = bit_of(device, contract.release);
  for (const Row& row : kRows) {
    if ((row.where & bit) == 0 || is_missing(row.op, device, contract)) continue;
    listed.push_back({row.op, row.policy});
  }
  return listed;
}

}  // namespace assay::reference
