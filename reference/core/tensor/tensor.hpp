// Tensors: reference-counted handles to a view of a storage.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "reference/core/tensor/geometry.hpp"
#include "reference/core/types/device.hpp"
#include "reference/core/types/dtype.hpp"
#include "reference/core/types/error.hpp"

namespace assay::reference {

/// `bytes` is empty for meta tensors, whatever `size_bytes` is.
class Storage {
 public:
  Storage(Device device, std::size_t size_bytes, std::vector<std::uint8_t> bytes)
      : device_(device), size_bytes_(size_bytes), bytes_(std::move(bytes)) {}

  Device device() const { return device_; }
  std::size_t size_bytes() const { return size_bytes_; }
  std::uint8_t* data() { return bytes_.data(); }
  bool has_data() const { return !bytes_.empty(); }

 private:
  Device device_;
  std::size_t size_bytes_;
  std::vector<std::uint8_t> bytes_;
};

/// Counts in-place writes. A tensor shares its counter with its views and detached aliases
/// (CORE-13).
using VersionCounter = std::atomic<std::uint64_t>;

class Node;
class Tensor;
struct TensorImpl;

enum class Layout : std::uint8_t { kStrided, kSparse };

/// A client function that is applied to a tensor's incoming gradient.
using GradHook = std::function<Tensor(const Tensor& grad)>;

/// Copies share the tensor; a moved-from handle is undefined (CORE-11). Like a pointer, a const
/// handle permits writes.
class Tensor {
 public:
  /// The undefined tensor: no elements, sizes [0], dtype undefined, no device.
  Tensor() = default;
  explicit Tensor(std::shared_ptr<TensorImpl> impl) : impl_(std::move(impl)) {}

  bool defined() const { return impl_ != nullptr; }
  bool is_same(const Tensor& other) const { return impl_ == other.impl_; }
  /// Returns whether both use the same storage.
  bool is_alias_of(const Tensor& other) const;
  /// The number of handles to this tensor; 0 for the undefined tensor.
  std::int64_t use_count() const { return impl_.use_count(); }
  const std::shared_ptr<TensorImpl>& impl() const { return impl_; }
  /// Identifies the tensor; null for the undefined tensor.
  const void* identity() const { return impl_.get(); }

  ScalarType dtype() const;
  /// Raises `error` for the undefined tensor.
  Device device() const;
  Layout layout() const;
  bool is_sparse() const { return layout() == Layout::kSparse; }
  bool is_cuda() const { return defined() && device().is_cuda(); }
  bool is_meta() const { return defined() && device().is_meta(); }

  const Shape& sizes() const;
  const Shape& strides() const;
  std::int64_t storage_offset() const;
  std::int64_t dim() const { return static_cast<std::int64_t>(sizes().size()); }
  std::int64_t numel() const;
  /// Counts negative dimensions from the end (CORE-12).
  std::int64_t size(std::int64_t dim) const;
  bool is_contiguous() const;
  bool is_non_overlapping_and_dense() const;

  /// The view's first element. Null for meta, empty and undefined tensors.
  std::uint8_t* data() const;
  /// The offset from `data()`, in elements, of element `index` in row-major order.
  std::int64_t offset_of(std::int64_t index) const;

  std::uint64_t version() const;
  /// Every operation that writes to the tensor must call this once (CORE-13).
  void bump_version() const;

  bool requires_grad() const;
  void set_requires_grad(bool value) const;
  bool is_leaf() const;
  /// Undefined if there is no gradient. Returns the same object each time.
  const Tensor& grad() const;
  void set_grad(Tensor grad) const;
  /// The autograd node of the operator that created the tensor; null for a leaf.
  const std::shared_ptr<Node>& node() const;
  /// Whether a view operator created it from another tensor.
  bool is_view() const;
  /// Whether it was created in inference mode, and so is never part of a graph.
  bool is_inference() const;

  /// The parts of a sparse COO tensor: indices int64 [dims, entries] and values [entries].
  /// Raise `error` for a strided tensor.
  const Tensor& indices() const;
  const Tensor& values() const;
  bool is_coalesced() const;

 private:
  const TensorImpl& need(const char* what) const;

  std::shared_ptr<TensorImpl> impl_;
};

struct SparseParts {
  Tensor indices;
  Tensor values;
  bool coalesced = false;
};

/// The state behind handles. Geometry, dtype and device change only if a module converts a
/// parameter in place (MOVE-04).
struct TensorImpl {
  std::shared_ptr<Storage> storage;  ///< null for a sparse tensor
  std::shared_ptr<VersionCounter> version;
  ScalarType dtype = ScalarType::kFloat;
  Device device;
  Shape sizes;
  Shape strides;
  std::int64_t offset = 0;
  std::int64_t numel = 0;
  bool contiguous = true;
  bool dense = true;

  bool view = false;
  bool inference = false;

  bool requires_grad = false;
  Tensor grad;
  std::shared_ptr<Node> node;
  std::size_t result = 0;           ///< the index among the results of `node`
  std::weak_ptr<Node> accumulator;  ///< leaves only: accumulates the gradient
  std::vector<GradHook> hooks;      ///< leaves only: called with the gradient first
  std::unique_ptr<SparseParts> sparse;

  /// The bits of its dispatch keys, if they cannot be derived from the other members.
  std::optional<std::uint64_t> key_set;
  bool is_parameter = false;  ///< whether it was made a module parameter
  /// Non-owning handles. A watched tensor cannot be swapped (MOVE-10).
  std::vector<std::weak_ptr<void>> watchers;
};

/// Formats as `float32[2, 3] on cuda:0`, for messages.
std::string describe(const Tensor& tensor);

}  // namespace assay::reference
