// Tensors: shared handles to a view of a storage.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda_impl/core/counted.hpp"
#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/geometry.hpp"
#include "cuda_impl/core/storage.hpp"

namespace assay::cuda {

class Tensor;

/// How often a tensor, its views and what was detached from it were written in place (CORE-13).
using Version = std::atomic<std::uint64_t>;

/// What a sparse COO tensor is made of.
struct SparseParts;

/// What a tensor was computed by, where gradients flow back through it.
class GradientNode;

/// What is done to a gradient on its way into a tensor.
struct GradientHooks;

/// Does the calling thread record how tensors are made? On at first.
bool& grad_mode();

/// Switches the mode of its thread until the end of the scope.
class GradModeGuard {
 public:
  explicit GradModeGuard(bool value) : before_(std::exchange(grad_mode(), value)) {}
  ~GradModeGuard() { grad_mode() = before_; }
  GradModeGuard(const GradModeGuard&) = delete;
  GradModeGuard& operator=(const GradModeGuard&) = delete;

 private:
  const bool before_;
};

/// Are tensors made on the calling thread inference tensors, which know no gradients (CORE-14)?
bool& inference_mode();

/// In place of the keys that a call is dispatched by, until the first call works them out.
inline constexpr std::uint64_t kUnknownKeys = std::uint64_t{1} << 63U;

/// Everything that a handle points to.
struct TensorBody {
  std::shared_ptr<Storage> storage;  ///< null for sparse tensors
  std::shared_ptr<Version> version;
  Dtype dtype = Dtype::kFloat32;
  Device device;
  Shape sizes;
  Shape strides;  ///< in elements
  std::int64_t offset = 0;
  std::int64_t numel = 0;
  bool is_contiguous = true;
  bool is_dense = true;  ///< non-overlapping and dense: some order of its elements has no gap
  bool is_view = false;  ///< made by as_strided, and not detached

  /// A word for the dispatcher (dispatch/keys/tensor_keys.hpp).
  std::atomic<std::uint64_t> keys = kUnknownKeys;
  bool is_inference = inference_mode();

  bool requires_grad = false;
  bool is_leaf = true;
  std::shared_ptr<GradientNode> history;  ///< null for leaves
  Counted<TensorBody> grad;
  std::shared_ptr<GradientHooks> hooks;  ///< of a leaf; null where there is none
  bool is_parameter = false;             ///< of a module, or made to be one
  std::atomic<int> watchers = 0;         ///< who would notice that another tensor takes its place
  std::unique_ptr<SparseParts> sparse;

  ~TensorBody();
};

/// A copy shares the tensor; like a pointer, a const handle may write. Undefined when made of
/// nothing, and after a move.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Counted<TensorBody> body) : body_(std::move(body)) {}

  bool defined() const { return bool(body_); }
  bool is_same(const Tensor& other) const { return body_ == other.body_; }
  bool is_alias_of(const Tensor& other) const;
  const Counted<TensorBody>& body() const { return body_; }
  TensorBody* operator->() const { return body_.get(); }

  Dtype dtype() const { return body_ ? body_->dtype : Dtype::kUndefined; }
  /// `error` where there is no tensor.
  Device device() const;
  bool is_cuda() const { return body_ && body_->device.is_cuda(); }
  bool is_meta() const { return body_ && body_->device.is_meta(); }
  bool is_sparse() const { return body_ && body_->sparse != nullptr; }

  const Shape& sizes() const;
  const Shape& strides() const;
  std::int64_t dim() const { return static_cast<std::int64_t>(sizes().size()); }
  std::int64_t numel() const { return body_ ? body_->numel : 0; }
  std::size_t size_bytes() const {
    return static_cast<std::size_t>(numel()) * assay::cuda::size_bytes(dtype());
  }
  bool is_contiguous() const { return !body_ || body_->is_contiguous; }
  bool is_dense() const { return !body_ || body_->is_dense; }

  /// The first element of the view; null where there is no memory. Of the host for CPU tensors.
  void* data() const;
  template <typename T>
  T* data_as() const {
    return static_cast<T*>(data());
  }

  std::uint64_t version() const;
  /// Once for each operation that writes to the tensor, after it has. Raises `error` for an
  /// inference tensor outside of the mode (CORE-14).
  void bump_version() const;

  /// The gradient; undefined when there is none.
  Tensor grad() const { return body_ ? Tensor(body_->grad) : Tensor(); }
  void set_grad(const Tensor& grad) const { body_->grad = grad.body(); }

 private:
  Counted<TensorBody> body_;
};

struct SparseParts {
  Tensor indices;  ///< int64 [sparse dims, entries]
  Tensor values;
  bool is_coalesced = false;
};

/// `float32[2, 3] on cuda:0`
std::string describe(const Tensor& tensor);

// Making tensors. New memory is not cleared.

/// Contiguous. `device` has an index where it is CUDA.
Tensor empty(Shape sizes, Dtype dtype, Device device);
Tensor empty_strided(Shape sizes, Shape strides, Dtype dtype, Device device);
/// Pinned memory of the host.
Tensor empty_pinned(Shape sizes, Shape strides, Dtype dtype);
/// Same sizes, dtype and device; strides too where the tensor is dense.
Tensor empty_like(const Tensor& tensor);
Tensor full(Shape sizes, double value, Dtype dtype, Device device);
/// A view with a geometry of its own, of the same storage and version counter.
Tensor as_strided(const Tensor& tensor, Shape sizes, Shape strides, std::int64_t offset);
/// Another handle on the same storage and version counter, which requires no gradient.
Tensor detach(const Tensor& tensor);
/// Shares its parts. Raises `error` for parts that do not fit each other.
Tensor sparse_coo(const Tensor& indices, const Tensor& values, Shape sizes, bool is_coalesced);

/// Elements of `tensor` in row-major order, as the host has them. Waits for the device; counts one
/// host read.
std::vector<std::byte> read_elements(const Tensor& tensor);
/// Writes row-major elements of the host into the tensor's view. Does not wait where it need not.
void write_elements(const Tensor& tensor, const std::byte* elements);

/// The one element of a tensor as a double. Waits; counts one host read.
double read_number(const Tensor& tensor);

}  // namespace assay::cuda
