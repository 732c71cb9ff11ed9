// Tensor handles, factory functions, and copies of elements to and from the host.
#include "cuda_impl/core/tensor.hpp"

#include <cuda_runtime_api.h>

#include <cstring>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
namespace {

const Shape& undefined_strides() {
  static const Shape strides = {1};
  return strides;
}

/// The body must have its storage and dtype.
void set_geometry(TensorBody& body, Shape sizes, Shape strides, std::int64_t offset) {
  body.numel = numel_of(sizes);
  body.is_contiguous = is_contiguous(sizes, strides);
  body.is_dense = body.is_contiguous || is_non_overlapping_and_dense(sizes, strides);
  body.sizes = std::move(sizes);
  body.strides = std::move(strides);
  body.offset = offset;
  std::byte* const start = body.numel == 0 ? nullptr : body.storage->data();
  if (start == nullptr) return;
  body.data = start + static_cast<std::size_t>(offset) * size_bytes(body.dtype);
}

/// `sizes` and `strides` must be valid, and the storage large enough for them.
Tensor make_on(std::shared_ptr<Storage> storage, Shape sizes, Shape strides, Dtype dtype) {
  auto body = Counted<TensorBody>::make();
  const Device device = storage->device();
  body->storage = std::move(storage);
  body->version = std::make_shared<Version>(0);
  body->dtype = dtype;
  body->device = device;
  set_geometry(*body, std::move(sizes), std::move(strides), 0);
  return Tensor(std::move(body));
}

Tensor make(Shape sizes, Shape strides, Dtype dtype, Device device, std::size_t bytes) {
  return make_on(std::make_shared<Storage>(device, bytes), std::move(sizes), std::move(strides),
                 dtype);
}

void check_view(const Tensor& tensor, const Shape& sizes, const Shape& strides,
                std::int64_t offset) {
  require(tensor.defined() && !tensor.is_sparse(), ErrorKind::kNotImplemented,
          [] { return "as_strided needs a dense tensor"; });
  require(sizes.size() == strides.size(), [] { return "mismatch in length of strides and shape"; });
  for (const std::int64_t stride : strides) {
    require(stride >= 0, [&] {
      return "as_strided: Negative strides are not supported at the moment, got strides: " +
             to_text(strides);
    });
  }
  require(offset >= 0, [&] { return "Tensor: invalid storage offset " + std::to_string(offset); });
}

void check_inside(const Tensor& tensor, const Shape& sizes, const Shape& strides,
                  std::int64_t offset) {
  const std::int64_t extent = extent_of(sizes, strides);
  if (extent == 0) return;
  const std::size_t element = size_bytes(tensor.dtype());
  std::int64_t end = 0;
  require(!__builtin_add_overflow(extent, offset, &end),
          [&] { return "Storage size calculation overflowed with sizes=" + to_text(sizes); });
  const std::size_t needed = bytes_of(end, element, sizes);
  require(needed <= tensor->storage->size_bytes(), [&] {
    return "setStorage: sizes " + to_text(sizes) + ", strides " + to_text(strides) +
           ", storage offset " + std::to_string(offset) + ", and itemsize " +
           std::to_string(element) + " requiring a storage size of " + std::to_string(needed) +
           " are out of bounds for storage of size " +
           std::to_string(tensor->storage->size_bytes());
  });
}

void check_sparse(const Tensor& indices, const Tensor& values, const Shape& sizes) {
  require(indices.dtype() == Dtype::kInt64 && indices.dim() == 2,
          [&] { return "indices must be an int64 matrix, but got " + describe(indices); });
  require(values.dim() >= 1 && values.sizes()[0] == indices.sizes()[1], [&] {
    return "indices and values must have same nnz, but got nnz from indices: " +
           std::to_string(indices.sizes()[1]) + ", values: " + describe(values);
  });
  const std::int64_t dims = indices.sizes()[0] + values.dim() - 1;
  require(static_cast<std::int64_t>(sizes.size()) == dims, [&] {
    return "number of dimensions must be sparse_dim + dense_dim (" + std::to_string(dims) +
           "), but got " + std::to_string(sizes.size());
  });
}

}  // namespace

bool& grad_mode() {
  thread_local constinit bool is_on = true;
  return is_on;
}

bool& inference_mode() {
  thread_local constinit bool is_on = false;
  return is_on;
}

TensorBody::~TensorBody() = default;

bool Tensor::is_alias_of(const Tensor& other) const {
  return body_ && other.body_ && body_->storage && body_->storage == other.body_->storage;
}

void Tensor::refuse_undefined() { throw Error("tensor does not have a device"); }

const Shape& Tensor::undefined_sizes() {
  static const Shape sizes = {0};
  return sizes;
}
const Shape& Tensor::strides() const { return body_ ? body_->strides : undefined_strides(); }

std::uint64_t Tensor::version() const {
  return body_ && body_->version ? body_->version->load(std::memory_order_relaxed) : 0;
}

/// Raises after counting, because the write has already happened (CORE-13, CORE-14).
void Tensor::bump_version() const {
  if (body_ && body_->version) body_->version->fetch_add(1, std::memory_order_relaxed);
  require(!body_ || !body_->is_inference || inference_mode(),
          [] { return "Inplace update to inference tensor outside InferenceMode is not allowed"; });
}

std::string describe(const Tensor& tensor) {
  if (!tensor.defined()) return "the undefined tensor";
  return std::string(facts(tensor.dtype()).name) + to_text(tensor.sizes()) +
         (tensor.is_sparse() ? ", sparse," : "") + " on " + to_text(tensor.device());
}

Tensor empty(Shape sizes, Dtype dtype, Device device) {
  const std::size_t bytes = bytes_of(numel_of(sizes), size_bytes(dtype), sizes);
  Shape strides = contiguous_strides(sizes);
  return make(std::move(sizes), std::move(strides), dtype, device, bytes);
}

Tensor empty_strided(Shape sizes, Shape strides, Dtype dtype, Device device) {
  require(sizes.size() == strides.size(), [&] {
    return "dimensionality of sizes (" + std::to_string(sizes.size()) +
           ") must match dimensionality of strides (" + std::to_string(strides.size()) + ")";
  });
  numel_of(sizes);
  for (const std::int64_t stride : strides) {
    require(stride >= 0, [&] {
      return "Storage size calculation overflowed with sizes=" + to_text(sizes) +
             " and strides=" + to_text(strides);
    });
  }
  const std::size_t bytes = bytes_of(extent_of(sizes, strides), size_bytes(dtype), sizes);
  return make(std::move(sizes), std::move(strides), dtype, device, bytes);
}

Tensor empty_pinned(Shape sizes, Shape strides, Dtype dtype) {
  const std::size_t bytes = bytes_of(extent_of(sizes, strides), size_bytes(dtype), sizes);
  return make_on(Storage::pinned(bytes), std::move(sizes), std::move(strides), dtype);
}

Tensor empty_like(const Tensor& tensor) {
  if (!tensor.is_dense()) return empty(tensor.sizes(), tensor.dtype(), tensor.device());
  return empty_strided(tensor.sizes(), tensor.strides(), tensor.dtype(), tensor.device());
}

Tensor as_strided(const Tensor& tensor, Shape sizes, Shape strides, std::int64_t offset) {
  check_view(tensor, sizes, strides, offset);
  check_inside(tensor, sizes, strides, offset);
  auto body = Counted<TensorBody>::make();
  body->storage = tensor->storage;
  body->version = tensor->version;
  body->dtype = tensor.dtype();
  body->device = tensor.device();
  body->keys = tensor->keys.load(std::memory_order_relaxed);
  body->is_inference = tensor->is_inference;
  body->is_view = true;
  set_geometry(*body, std::move(sizes), std::move(strides), offset);
  return Tensor(std::move(body));
}

Tensor detach(const Tensor& tensor) {
  require(tensor.defined(), [] { return "the undefined tensor cannot be detached"; });
  if (!tensor.is_sparse()) {
    Tensor detached = as_strided(tensor, tensor.sizes(), tensor.strides(), tensor->offset);
    detached->is_view = false;
    return detached;
  }
  const SparseParts& parts = *tensor->sparse;
  const Tensor result = sparse_coo(parts.indices, parts.values, tensor.sizes(), parts.is_coalesced);
  result->version = tensor->version;
  return result;
}

Tensor sparse_coo(const Tensor& indices, const Tensor& values, Shape sizes, bool is_coalesced) {
  check_sparse(indices, values, sizes);
  auto body = Counted<TensorBody>::make();
  body->version = std::make_shared<Version>(0);
  body->dtype = values.dtype();
  body->device = values.device();
  body->numel = numel_of(sizes);
  body->strides = Shape(sizes.size(), 0);
  body->sizes = std::move(sizes);
  body->is_contiguous = false;
  body->is_dense = false;
  body->sparse = std::make_unique<SparseParts>(SparseParts{indices, values, is_coalesced});
  return Tensor(std::move(body));
}

// Elements.

namespace {

/// Returns the number of bytes from the view's first element to its last, inclusive.
std::size_t span_bytes(const Tensor& tensor) {
  return static_cast<std::size_t>(extent_of(tensor.sizes(), tensor.strides())) *
         size_bytes(tensor.dtype());
}

void check_has_elements(const Tensor& tensor) {
  require(tensor.defined() && !tensor.is_sparse(), ErrorKind::kNotImplemented,
          [&] { return "elements are those of a dense tensor, not of " + describe(tensor); });
  require(!tensor.is_meta(), ErrorKind::kNotImplemented,
          [] { return "Cannot copy out of meta tensor; no data!"; });
}

void wait_for_stream() {
  cuda_check(cudaStreamSynchronize(current_stream()));
  ++counters().host_reads;
}

/// Waits until the copy has finished.
void read_bytes(const Tensor& tensor, std::byte* target, std::size_t count) {
  if (!tensor.is_cuda()) {
    if (count > 0) std::memcpy(target, tensor.data(), count);
    return;
  }
  const DeviceScope scope(tensor.device().index);
  if (count > 0) {
    cuda_check(
        cudaMemcpyAsync(target, tensor.data(), count, cudaMemcpyDeviceToHost, current_stream()));
  }
  wait_for_stream();
}

/// Copies the source to pinned memory that the captured graph keeps: replays read it again.
const std::byte* kept_for_replays(const std::byte* source, std::size_t count) {
  const auto graph = memory_of_capture();
  if (graph == nullptr) return source;
  const auto kept = Storage::pinned(count);
  std::memcpy(kept->data(), source, count);
  graph->keep(kept);
  return kept->data();
}

/// When this returns, a pageable source has been read.
void write_bytes(const Tensor& tensor, const std::byte* source, std::size_t count) {
  if (count == 0) return;
  if (!tensor.is_cuda()) {
    std::memcpy(tensor.data(), source, count);
    return;
  }
  const DeviceScope scope(tensor.device().index);
  cuda_check(cudaMemcpyAsync(tensor.data(), kept_for_replays(source, count), count,
                             cudaMemcpyHostToDevice, current_stream()));
}

std::vector<std::byte> gathered(const Tensor& tensor, const std::vector<std::byte>& span) {
  const std::size_t element = size_bytes(tensor.dtype());
  std::vector<std::byte> elements(tensor.size_bytes());
  std::byte* to = elements.data();
  for_each_offset(tensor.sizes(), tensor.strides(), [&](std::int64_t offset) {
    std::memcpy(to, span.data() + static_cast<std::size_t>(offset) * element, element);
    to += element;
  });
  return elements;
}

void scatter(const Tensor& tensor, const std::byte* elements, std::vector<std::byte>& span) {
  const std::size_t element = size_bytes(tensor.dtype());
  for_each_offset(tensor.sizes(), tensor.strides(), [&](std::int64_t offset) {
    std::memcpy(span.data() + static_cast<std::size_t>(offset) * element, elements, element);
    elements += element;
  });
}

}  // namespace

std::vector<std::byte> read_elements(const Tensor& tensor) {
  check_has_elements(tensor);
  std::vector<std::byte> span(tensor.is_contiguous() ? tensor.size_bytes() : span_bytes(tensor));
  read_bytes(tensor, span.data(), span.size());
  return tensor.is_contiguous() ? std::move(span) : gathered(tensor, span);
}

void write_elements(const Tensor& tensor, const std::byte* elements) {
  check_has_elements(tensor);
  if (tensor.is_contiguous()) return write_bytes(tensor, elements, tensor.size_bytes());
  // Preserve the memory between the view's elements.
  const std::int64_t before = counters().host_reads;
  std::vector<std::byte> span(span_bytes(tensor));
  read_bytes(tensor, span.data(), span.size());
  counters().host_reads = before;
  scatter(tensor, elements, span);
  write_bytes(tensor, span.data(), span.size());
}

double read_number(const Tensor& tensor) {
  require(tensor.numel() == 1, [&] {
    return "a Tensor with " + std::to_string(tensor.numel()) +
           " elements cannot be converted to Scalar";
  });
  check_has_elements(tensor);
  Element element;
  read_bytes(tensor, element.data(), size_bytes(tensor.dtype()));
  return from_element(element.data(), tensor.dtype()).real();
}

Tensor full(Shape sizes, double value, Dtype dtype, Device device) {
  const Tensor tensor = empty(std::move(sizes), dtype, device);
  if (tensor.numel() == 0 || tensor.is_meta()) return tensor;
  const Element element = to_element(value, dtype, {});
  const std::size_t size = size_bytes(dtype);
  std::vector<std::byte> bytes(tensor.size_bytes());
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::memcpy(bytes.data() + at, element.data(), size);
  }
  write_elements(tensor, bytes.data());
  return tensor;
}

}  // namespace assay::cuda
