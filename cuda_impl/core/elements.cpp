// Copies of tensor elements to and from the host.
#include <cuda_runtime_api.h>

#include <cstring>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/graph_memory.hpp"
#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {
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
