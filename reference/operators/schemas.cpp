// The schema texts of all releases.
#include "reference/operators/schemas.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::reference {
namespace {

constexpr std::string_view kAlways = R"(
aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool use_gelu=False) -> Tensor
aten::_cudnn_rnn(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, Tensor hx, Tensor? cx, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, Tensor? dropout_state) -> (Tensor, Tensor, Tensor, Tensor, Tensor)
aten::_grid_sampler_2d_cpu_fallback(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, Tensor pivots, Tensor info)
aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)
aten::_thnn_fused_gru_cell(Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? input_bias=None, Tensor? hidden_bias=None) -> (Tensor, Tensor)
aten::_thnn_fused_lstm_cell(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? input_bias=None, Tensor? hidden_bias=None) -> (Tensor, Tensor, Tensor)
aten::_upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor
aten::_upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor
aten::_upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor
aten::_upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor
aten::_upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor
aten::acos(Tensor self) -> Tensor
aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)
aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor
aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor
aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor
aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor
aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor
aten::addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
aten::addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)
aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor
aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor
aten::any(Tensor self) -> Tensor
aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)
aten::asin(Tensor self) -> Tensor
aten::atan2(Tensor self, Tensor other) -> Tensor
aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor
aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor
aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor
aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor
aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor
aten::binary_cross_entropy.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)
aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor
aten::bmm(Tensor self, Tensor mat2) -> Tensor
aten::cat(Tensor[] tensors, int dim=0) -> Tensor
aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor
aten::chain_matmul(Tensor[] matrices) -> Tensor
aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor
aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor
aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor
aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)
aten::cosh(Tensor self) -> Tensor
aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor
aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor
aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor
aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor
aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor
aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor
aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor
aten::detach(Tensor(a) self) -> Tensor(a)
aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor
aten::div.Scalar(Tensor self, Scalar other) -> Tensor
aten::div.Tensor(Tensor self, Tensor other) -> Tensor
aten::dot(Tensor self, Tensor tensor) -> Tensor
aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor
aten::eq.Tensor(Tensor self, Tensor other) -> Tensor
aten::equal(Tensor self, Tensor other) -> bool
aten::erfinv(Tensor self) -> Tensor
aten::exp(Tensor self) -> Tensor
aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)
aten::expm1(Tensor self) -> Tensor
aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> Tensor
aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)
aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> (Tensor, Tensor)
aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> (Tensor, Tensor)
aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor
aten::ge.Tensor(Tensor self, Tensor other) -> Tensor
aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)
aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor
aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor
aten::gt.Tensor(Tensor self, Tensor other) -> Tensor
aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> Tensor
aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor
aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor
aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor
aten::inverse(Tensor self) -> Tensor
aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor
aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor
aten::le.Tensor(Tensor self, Tensor other) -> Tensor
aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor
aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)
aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor
aten::linalg_cond.p_str(Tensor self, str p) -> Tensor
aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)
aten::linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)
aten::linalg_eigvals(Tensor self) -> Tensor
aten::linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor
aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor
aten::linalg_inv(Tensor A) -> Tensor
aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)
aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)
aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
aten::linalg_matrix_norm.str_ord(Tensor self, str ord="fro", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor
aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor
aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor
aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor
aten::linalg_multi_dot(Tensor[] tensors) -> Tensor
aten::linalg_qr(Tensor A, str mode="reduced") -> (Tensor Q, Tensor R)
aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor
aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)
aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor
aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor
aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor
aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor
aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor
aten::log(Tensor self) -> Tensor
aten::log10(Tensor self) -> Tensor
aten::log1p(Tensor self) -> Tensor
aten::log2(Tensor self) -> Tensor
aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor
aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor
aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor, Tensor)
aten::lt.Tensor(Tensor self, Tensor other) -> Tensor
aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor
aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor
aten::matmul(Tensor self, Tensor other) -> Tensor
aten::max(Tensor self) -> Tensor
aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor
aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor
aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
aten::mm(Tensor self, Tensor mat2) -> Tensor
aten::mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)
aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor
aten::mul.Scalar(Tensor self, Scalar other) -> Tensor
aten::mul.Tensor(Tensor self, Tensor other) -> Tensor
aten::mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)
aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=1) -> Tensor
aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor
aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)
aten::mv(Tensor self, Tensor vec) -> Tensor
aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation="linear") -> Tensor
aten::nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation="linear") -> Tensor
aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)
aten::ne.Tensor(Tensor self, Tensor other) -> Tensor
aten::neg(Tensor self) -> Tensor
aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor
aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor
aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor
aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor
aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor
aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor
aten::orgqr(Tensor self, Tensor input2) -> Tensor
aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor
aten::pdist(Tensor self, float p=2.) -> Tensor
aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor
aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor
aten::polar(Tensor abs, Tensor angle) -> Tensor
aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor
aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor
aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor
aten::prelu(Tensor self, Tensor weight) -> Tensor
aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor
aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
aten::quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation="linear") -> Tensor
aten::quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation="linear") -> Tensor
aten::reciprocal(Tensor self) -> Tensor
aten::relu(Tensor self) -> Tensor
aten::relu_(Tensor(a!) self) -> Tensor(a!)
aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor
aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)
aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor
aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor
aten::rsqrt(Tensor self) -> Tensor
aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor
aten::sinh(Tensor self) -> Tensor
aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor
aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor
aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor
aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor
aten::sqrt(Tensor self) -> Tensor
aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)
aten::stack(Tensor[] tensors, int dim=0) -> Tensor
aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor
aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor
aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)
aten::t(Tensor(a) self) -> Tensor(a)
aten::tan(Tensor self) -> Tensor
aten::tanh(Tensor self) -> Tensor
aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor
aten::trace(Tensor self) -> Tensor
aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)
aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)
aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., float p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor
aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)
aten::upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor
aten::upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor
aten::upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None) -> Tensor
aten::upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor
aten::upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor
aten::upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor
aten::upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor
aten::vdot(Tensor self, Tensor other) -> Tensor
aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)
aten::view_as_complex(Tensor(a) self) -> Tensor(a)
)";

constexpr std::string_view kOnly1_13 = R"(
aten::_convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor
aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor
aten::_mps_convolution(Tensor self, Tensor weight, Tensor? bias, int[] padding, int[] stride, int[] dilation, int groups) -> Tensor
aten::adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor
aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], int[1] padding=[0], int[1] dilation=[1], int groups=1) -> Tensor
aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], str padding="valid", int[1] dilation=[1], int groups=1) -> Tensor
aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] dilation=1, int groups=1) -> Tensor
aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, str padding="valid", int[2] dilation=1, int groups=1) -> Tensor
aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] dilation=1, int groups=1) -> Tensor
aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str padding="valid", int[3] dilation=1, int groups=1) -> Tensor
aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], int[1] padding=[0], int[1] output_padding=[0], int groups=1, int[1] dilation=[1]) -> Tensor
aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor
aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor
aten::convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups) -> Tensor
aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100, float label_smoothing=0.) -> Tensor
aten::cudnn_convolution(Tensor self, Tensor weight, int[] padding, int[] stride, int[] dilation, int groups, bool benchmark, bool deterministic, bool allow_tf32) -> Tensor
aten::cudnn_convolution_transpose(Tensor self, Tensor weight, int[] padding, int[] output_padding, int[] stride, int[] dilation, int groups, bool benchmark, bool deterministic, bool allow_tf32) -> Tensor
aten::fft_fft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_fft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor
aten::fft_fftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor
aten::fft_hfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_ifft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_ifft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor
aten::fft_ifftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor
aten::fft_ihfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_irfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_irfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor
aten::fft_irfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor
aten::fft_rfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_rfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor
aten::fft_rfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor
aten::frobenius_norm(Tensor self) -> Tensor
aten::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor
aten::max_unpool2d(Tensor self, Tensor indices, int[2] output_size) -> Tensor
aten::max_unpool3d(Tensor self, Tensor indices, int[3] output_size, int[3] stride, int[3] padding) -> Tensor
aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100) -> Tensor
aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100) -> Tensor
aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100) -> Tensor
aten::reflection_pad1d(Tensor self, int[2] padding) -> Tensor
aten::reflection_pad2d(Tensor self, int[4] padding) -> Tensor
aten::replication_pad1d(Tensor self, int[2] padding) -> Tensor
aten::replication_pad2d(Tensor self, int[4] padding) -> Tensor
aten::replication_pad3d(Tensor self, int[6] padding) -> Tensor
aten::select.int(Tensor(a) self, int dim, int index) -> Tensor(a)
aten::symeig(Tensor self, bool eigenvectors=False, bool upper=True) -> (Tensor eigenvalues, Tensor eigenvectors)
)";

constexpr std::string_view kUntil2_4 = R"(
aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None) -> Tensor
aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode="reflect", bool normalized=False, bool? onesided=None, bool? return_complex=None) -> Tensor
)";

constexpr std::string_view kOnly2_4 = R"(
aten::_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor philox_seed, Tensor philox_offset, Tensor debug_attn_mask)
aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None) -> Tensor
)";

constexpr std::string_view kFrom2_4 = R"(
aten::_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor
aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, int[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor
aten::_mps_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups) -> Tensor
aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor
aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], SymInt[1] padding=[0], SymInt[1] dilation=[1], SymInt groups=1) -> Tensor
aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], str padding="valid", SymInt[1] dilation=[1], SymInt groups=1) -> Tensor
aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor
aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], str padding="valid", SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor
aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor
aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], str padding="valid", SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor
aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], SymInt[1] padding=[0], SymInt[1] output_padding=[0], SymInt groups=1, SymInt[1] dilation=[1]) -> Tensor
aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], SymInt groups=1, SymInt[2] dilation=[1, 1]) -> Tensor
aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] output_padding=[0, 0, 0], SymInt groups=1, SymInt[3] dilation=[1, 1, 1]) -> Tensor
aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor
aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor
aten::cudnn_convolution(Tensor self, Tensor weight, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32) -> Tensor
aten::cudnn_convolution_transpose(Tensor self, Tensor weight, SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32) -> Tensor
aten::fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_fft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor
aten::fft_fftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor
aten::fft_hfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_ifft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor
aten::fft_ifftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor
aten::fft_ihfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor
aten::fft_irfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor
aten::fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor
aten::fft_rfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor
aten::fft_rfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor
aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor
aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor
aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding) -> Tensor
aten::mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size, int num_layers, bool has_biases, bool bidirectional, bool batch_first, bool train) -> (Tensor, Tensor, Tensor, Tensor)
aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor
aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor
aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor
aten::reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor
aten::reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor
aten::replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor
aten::replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor
aten::replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor
aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)
)";

/// With names of dimensions.
constexpr std::string_view kUntil2_12 = R"(
aten::cumprod.dimname(Tensor self, str dim, *, ScalarType? dtype=None) -> Tensor
aten::cumsum.dimname(Tensor self, str dim, *, ScalarType? dtype=None) -> Tensor
aten::index_copy.dimname(Tensor self, str dim, Tensor index, Tensor source) -> Tensor
aten::log_softmax.Dimname(Tensor self, str dim, *, ScalarType? dtype=None) -> Tensor
aten::norm.names_ScalarOpt_dim(Tensor self, Scalar? p, str[1] dim, bool keepdim=False) -> Tensor
aten::norm.names_ScalarOpt_dim_dtype(Tensor self, Scalar? p, str[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor
aten::prod.dim_Dimname(Tensor self, str dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
aten::softmax.Dimname(Tensor self, str dim, *, ScalarType? dtype=None) -> Tensor
aten::sum.dim_DimnameList(Tensor self, str[1] dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
)";

constexpr std::string_view kUntil2_13 = R"(
aten::cholesky(Tensor self, bool upper=False) -> Tensor
aten::qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)
)";

constexpr std::string_view kFrom2_11 = R"(
aten::_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor rng_state, Tensor unused, Tensor debug_attn_mask)
aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor
aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor
aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor
aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode="reflect", bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor
)";

constexpr std::string_view kFrom2_14 = R"(
aten::linalg_matrix_sqrth(Tensor self) -> Tensor
)";

struct Texts {
  std::string_view text;
  Release since = Release::k1_13;
  Release until = kNewestRelease;
};

constexpr std::array kTexts{Texts{kAlways},
                            Texts{kOnly1_13, Release::k1_13, Release::k1_13},
                            Texts{kUntil2_4, Release::k1_13, Release::k2_4},
                            Texts{kOnly2_4, Release::k2_4, Release::k2_4},
                            Texts{kFrom2_4, Release::k2_4},
                            Texts{kUntil2_12, Release::k1_13, Release::k2_12},
                            Texts{kUntil2_13, Release::k1_13, Release::k2_13},
                            Texts{kFrom2_11, Release::k2_11},
                            Texts{kFrom2_14, Release::k2_14}};

/// Parsed in compat mode, because some of PyTorch's schemas violate the strict rules: for example,
/// two defaults for `int[1]`.
std::vector<FunctionSchema> read_schemas(Release release) {
  const Contract contract{.release = release, .deviations = Deviations::kCompat};
  std::vector<FunctionSchema> schemas;
  for (auto [text, since, until] : kTexts) {
    if (release < since || release > until) continue;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (end > 0) schemas.push_back(parse_schema(text.substr(0, end), contract));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  return schemas;
}

}  // namespace

const std::vector<FunctionSchema>& schemas_of(Release release) {
  static const auto schemas = [] {
    std::vector<std::vector<FunctionSchema>> read;
    for (const Release each : kReleases) read.push_back(read_schemas(each));
    return read;
  }();
  return schemas[static_cast<std::size_t>(release)];
}

}  // namespace assay::reference
