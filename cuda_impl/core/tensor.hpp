// Tensors: shared handles to views of a storage.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
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

/// The number of in-place writes, shared by a tensor, its views and detached aliases (CORE-13).
using Version = std::atomic<std::uint64_t>;

/// The indices and values of a sparse COO tensor.
struct SparseParts;

/// The autograd node that computed a tensor.
class GradientNode;

/// Hooks that are applied to a tensor's incoming gradient.
struct GradientHooks;

struct DeviceStream;

/// Whether the calling thread records operations for autograd. Initially true.
bool& grad_mode();

/// Sets the grad mode of the calling thread for the scope.
class GradModeGuard {
 public:
  explicit GradModeGuard(bool value) : before_(std::exchange(grad_mode(), value)) {}
  ~GradModeGuard() { grad_mode() = before_; }
  GradModeGuard(const GradModeGuard&) = delete;
  GradModeGuard& operator=(const GradModeGuard&) = delete;

 private:
  const bool before_;
};

/// Whether tensors made on the calling thread are inference tensors, without autograd (CORE-14).
bool& inference_mode();

/// Marks that a tensor's dispatch keys have not been computed yet.
inline constexpr std::uint64_t kUnknownKeys = 1;

/// The state that all handles of a tensor share.
struct TensorBody {
  std::shared_ptr<Storage> storage;  ///< null for sparse tensors
  std::shared_ptr<Version> version;
  Dtype dtype = Dtype::kFloat32;
  Device device;
  Shape sizes;
  Shape strides;  ///< in elements
  std::int64_t offset = 0;
  std::int64_t numel = 0;
  void* data = nullptr;  ///< of the first element, on the device; null without memory
  bool is_contiguous = true;
  bool is_dense = true;  ///< non-overlapping and dense: some order of its elements has no gap
  bool is_view = false;  ///< made by as_strided, and not detached

  /// Cached keys of the dispatcher (dispatch/keys/tensor_keys.hpp).
  std::atomic<std::uint64_t> keys = kUnknownKeys;
  bool is_inference = inference_mode();

  bool requires_grad = false;
  bool is_leaf = true;
  std::shared_ptr<GradientNode> history;  ///< null for leaves
  Counted<TensorBody> grad;
  std::shared_ptr<GradientHooks> hooks;               ///< leaves only; null if there are none
  std::weak_ptr<const DeviceStream> gradient_stream;  ///< of a leaf, while a graph leads to it
  bool is_parameter = false;                          ///< a module's parameter, or marked as one
  std::atomic<int> watchers = 0;  ///< observers of a replacement of this tensor by another
  std::unique_ptr<SparseParts> sparse;

  ~TensorBody();
};

/// Copies share the tensor; like a pointer, a const handle gives write access. A
/// default-constructed or moved-from handle is undefined.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Counted<TensorBody> body) : body_(std::move(body)) {}

  bool defined() const { return bool(body_); }
  bool is_same(const Tensor& other) const { return body_ == other.body_; }
  bool is_alias_of(const Tensor& other) const;
  const Counted<TensorBody>& body() const { return body_; }
  TensorBody* operator->() const { return body_.operator->(); }

  Dtype dtype() const { return body_ ? body_->dtype : Dtype::kUndefined; }
  /// Raises `error` if the tensor is undefined.
  Device device() const {
    if (!body_) [[unlikely]]
      refuse_undefined();
    return body_->device;
  }
  bool is_cuda() const { return body_ && body_->device.is_cuda(); }
  bool is_meta() const { return body_ && body_->device.is_meta(); }
  bool is_sparse() const { return body_ && body_->sparse != nullptr; }

  const Shape& sizes() const { return body_ ? body_->sizes : undefined_sizes(); }
  const Shape& strides() const;
  std::int64_t dim() const { return static_cast<std::int64_t>(sizes().size()); }
  std::int64_t numel() const { return body_ ? body_->numel : 0; }
  std::size_t size_bytes() const {
    return static_cast<std::size_t>(numel()) * assay::cuda::size_bytes(dtype());
  }
  bool is_contiguous() const { return !body_ || body_->is_contiguous; }
  bool is_dense() const { return !body_ || body_->is_dense; }

  void* data() const { return body_ ? body_->data : nullptr; }
  template <typename T>
  T* data_as() const {
    return static_cast<T*>(data());
  }

  std::uint64_t version() const;
  /// Call once for each operation that writes to the tensor, after the write. Raises `error` for an
  /// inference tensor outside inference mode (CORE-14).
  void bump_version() const;

  /// Returns the gradient; undefined if there is none.
  Tensor grad() const { return body_ ? Tensor(body_->grad) : Tensor(); }
  void set_grad(const Tensor& grad) const { body_->grad = grad.body(); }

 private:
  [[noreturn]] static void refuse_undefined();
  static const Shape& undefined_sizes();

  Counted<TensorBody> body_;
};

struct SparseParts {
  Tensor indices;  ///< int64 [sparse dims, entries]
  Tensor values;
  bool is_coalesced = false;
};

/// Returns `float32[2, 3] on cuda:0`.
std::string describe(const Tensor& tensor);

// Factory functions. New memory is uninitialized.

/// Returns a contiguous tensor. A CUDA `device` must have an index.
Tensor empty(Shape sizes, Dtype dtype, Device device);
Tensor empty_strided(Shape sizes, Shape strides, Dtype dtype, Device device);
/// Allocates in pinned host memory.
Tensor empty_pinned(Shape sizes, Shape strides, Dtype dtype);
/// Copies sizes, dtype and device, and also the strides if the tensor is dense.
Tensor empty_like(const Tensor& tensor);
Tensor full(Shape sizes, double value, Dtype dtype, Device device);
/// Returns a view with the given geometry that shares the storage and the version counter.
Tensor as_strided(const Tensor& tensor, Shape sizes, Shape strides, std::int64_t offset);
/// Returns an alias that shares the storage and the version counter and requires no gradient.
Tensor detach(const Tensor& tensor);
/// Shares `indices` and `values`. Raises `error` if they do not match each other or the sizes.
Tensor sparse_coo(const Tensor& indices, const Tensor& values, Shape sizes, bool is_coalesced);

/// Copies the elements to the host in row-major order. Waits for the device and counts one host
/// read.
std::vector<std::byte> read_elements(const Tensor& tensor);
/// Copies row-major host elements into the view. Waits only if it has to.
void write_elements(const Tensor& tensor, const std::byte* elements);

/// Returns the element of a one-element tensor. Waits and counts one host read.
double read_number(const Tensor& tensor);

}  // namespace assay::cuda
