// Implements CORE-20, CORE-21 and CORE-23.
#include "reference/core/tensor/copy.hpp"

#include <algorithm>

#include "reference/core/math/cast.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/storage_memory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

Shape channels_last_strides(const Shape& sizes) {
  check(sizes.size() == 4, [&] {
    return "required rank 4 tensor to use channels_last format, got " + to_text(sizes);
  });
  Shape strides(4);
  std::int64_t stride = 1;
  for (const std::size_t dim : {1u, 3u, 2u, 0u}) {
    strides[dim] = stride;
    stride *= sizes[dim];  // CORE-21
  }
  return strides;
}

/// Returns channels_last if the strides match it, otherwise contiguous.
MemoryFormat suggested_format(const Tensor& tensor) {
  if (tensor.dim() != 4 || tensor.is_contiguous()) return MemoryFormat::kContiguous;
  return tensor.strides() == channels_last_strides(tensor.sizes()) ? MemoryFormat::kChannelsLast
                                                                   : MemoryFormat::kContiguous;
}

/// A positive result means that `left` comes after `right`, counted from the innermost dimension.
int order_of(const Tensor& tensor, std::size_t left, std::size_t right) {
  const std::int64_t l = tensor.strides()[left];
  const std::int64_t r = tensor.strides()[right];
  if (l == 0 || r == 0) return 0;
  if (l != r) return l < r ? -1 : 1;
  return tensor.sizes()[left] > tensor.sizes()[right] ? 1 : 0;
}

/// Uses insertion sort, because the order is not total: an expanded dimension is equal to all.
std::vector<std::size_t> inside_out(const Tensor& tensor) {
  std::vector<std::size_t> order;
  for (std::size_t dim = tensor.sizes().size(); dim-- > 0;) order.push_back(dim);
  for (std::size_t i = 1; i < order.size(); ++i) {
    std::size_t at = i;
    for (std::size_t below = i; below-- > 0;) {
      const int comparison = order_of(tensor, order[below], order[at]);
      if (comparison < 0) break;
      if (comparison == 0) continue;
      std::swap(order[below], order[at]);
      at = below;
    }
  }
  return order;
}

Shape strides_for(const Tensor& tensor, MemoryFormat format) {
  switch (format) {
    case MemoryFormat::kContiguous:
      return contiguous_strides(tensor.sizes());
    case MemoryFormat::kChannelsLast:
      return channels_last_strides(tensor.sizes());
    case MemoryFormat::kPreserve:
      break;
  }
  return preserved_strides(tensor);
}

/// Returns the unit that converts when `src` is copied to `dst` (CORE-21).
Converter converter_of(const Tensor& dst, const Tensor& src, bool non_blocking) {
  const bool is_cuda = dst.is_cuda() || src.is_cuda();
  const bool crosses = dst.is_cuda() != src.is_cuda();
  if (is_cuda && (!crosses || non_blocking)) return Converter::kCuda;
  // Copies between host and device go through contiguous staging memory.
  const bool is_run = crosses || (dst.is_contiguous() && src.is_contiguous());
  return is_run ? Converter::kCpuVector : Converter::kCpuScalar;
}

/// STR-033: the host waits for blocking copies and for copies to pageable memory. Pinned memory
/// must stay valid until the stream has executed the copy.
void copy_with_host(Runtime& runtime, const Tensor& dst, const Tensor& src, const Conversion& how,
                    bool non_blocking) {
  const Tensor& host = dst.is_cuda() ? src : dst;
  const Device device = dst.is_cuda() ? dst.device() : src.device();
  const bool has_pinned = is_pinned(host);
  const bool is_staged = non_blocking && !has_pinned && dst.is_cuda();
  launch_copy(runtime, device, !has_pinned,
              [to = borrowed(dst), from = is_staged ? staged(src) : borrowed(src), how] {
                convert_elements(to, from, how);
              });
  const bool fills_pageable = !dst.is_cuda() && !has_pinned;
  if (!non_blocking || fills_pageable) {
    wait_for_stream(runtime, device);
  } else if (has_pinned && memory_of(host.impl()->storage) != nullptr) {
    memory_of(host.impl()->storage)->used_by(device);
  }
}

/// STR-031: runs on the source's stream, after the present work of the target's stream and before
/// its later work.
void copy_across(Runtime& runtime, const Tensor& dst, const Tensor& src, const Conversion& how) {
  const auto copy = [to = borrowed(dst), from = borrowed(src), how] {
    convert_elements(to, from, how);
  };
  join_streams(runtime, src.device(), dst.device());
  launch_copy(runtime, src.device(), false, copy);
  join_streams(runtime, dst.device(), src.device());
}

/// Copies without a conversion, or a change of layout.
bool is_plain_copy(const Tensor& dst, const Tensor& src) {
  return dst.dtype() == src.dtype() && dst.is_contiguous() && src.is_contiguous();
}

void copy_within(Runtime& runtime, const Tensor& dst, const Tensor& src, const Conversion& how) {
  auto copy = [to = borrowed(dst), from = borrowed(src), how] { convert_elements(to, from, how); };
  if (is_plain_copy(dst, src)) return launch_copy(runtime, dst.device(), false, std::move(copy));
  launch(runtime, dst.device(), "copy", std::move(copy));
}

/// STR-038: no kernel can access both, so contiguous memory on each side is copied.
void copy_without_peer_access(Runtime& runtime, const Tensor& dst, const Tensor& src,
                              const Conversion& how) {
  const Tensor sent = empty(runtime, dst.sizes(), dst.dtype(), src.device());
  const Tensor received = empty(runtime, dst.sizes(), dst.dtype(), dst.device());
  copy_within(runtime, sent, src, how);
  copy_across(runtime, received, sent, how);
  copy_within(runtime, dst, received, how);
}

void transfer(Runtime& runtime, const Tensor& dst, const Tensor& src, bool non_blocking) {
  ++runtime.counters().copies;
  if (src.is_cuda() && dst.device().is_cpu() && !non_blocking) ++runtime.counters().host_reads;
  if (dst.data() == nullptr) return;
  if (is_complex(src.dtype()) && !is_complex(dst.dtype())) {
    runtime.warn_once("UserWarning", "Casting complex values to real discards the imaginary part");
  }
  const Conversion how{.by = converter_of(dst, src, non_blocking),
                       .uses_f16c = runtime.contract().at_least(Release::k2_4)};
  if (dst.is_cuda() != src.is_cuda()) return copy_with_host(runtime, dst, src, how, non_blocking);
  if (dst.device() == src.device()) return copy_within(runtime, dst, src, how);
  const bool reaches =
      is_plain_copy(dst, src) || can_access_peer(runtime, src.device(), dst.device());
  reaches ? copy_across(runtime, dst, src, how) : copy_without_peer_access(runtime, dst, src, how);
}

Tensor sparse_to(Runtime& runtime, const Tensor& tensor, const ToOptions& options) {
  ToOptions of_indices = options;
  of_indices.dtype = ScalarType::kLong;
  return sparse_coo(to(runtime, tensor.indices(), of_indices),
                    to(runtime, tensor.values(), options), tensor.sizes(), tensor.is_coalesced());
}

/// PyTorch treats `cpu:0` and `cpu` as different devices; strict mode does not ([DEV] of CORE-20).
bool is_another_cpu(const Runtime& runtime, const ToOptions& options) {
  if (!options.device || !options.device->is_cpu() || options.device->index < 0) return false;
  return !runtime.contract().strict();
}

void check_can_copy(const Tensor& dst, const Tensor& src) {
  check(dst.defined() && src.defined(), [] { return "copy_ of an undefined tensor"; });
  check(!dst.is_sparse() && !src.is_sparse(), ErrorKind::kNotImplemented,
        [] { return "copy_ of sparse tensors is not implemented"; });
  check(!src.is_meta() || dst.is_meta(), ErrorKind::kNotImplemented, [&] {
    return "cannot copy out of meta tensor: no data, from " + describe(src) + " to " +
           describe(dst);
  });
}

Tensor broadcast(const Tensor& src, const Shape& sizes) {
  const auto refuse = [&] {
    return "copy_: the source of shape " + to_text(src.sizes()) +
           " does not fit the destination of shape " + to_text(sizes);
  };
  check(src.dim() <= static_cast<std::int64_t>(sizes.size()), refuse);
  const std::size_t added = sizes.size() - src.sizes().size();
  for (std::size_t dim = 0; dim < src.sizes().size(); ++dim) {
    check(src.sizes()[dim] == sizes[added + dim] || src.sizes()[dim] == 1, refuse);
  }
  return expand(src, sizes);
}

}  // namespace

std::optional<MemoryFormat> memory_format_named(std::string_view name) {
  if (name == "preserve") return MemoryFormat::kPreserve;
  if (name == "contiguous") return MemoryFormat::kContiguous;
  if (name == "channels_last") return MemoryFormat::kChannelsLast;
  return std::nullopt;
}

Shape preserved_strides(const Tensor& tensor) {
  if (tensor.is_non_overlapping_and_dense()) return tensor.strides();
  Shape strides(tensor.sizes().size());
  std::int64_t stride = 1;
  for (const std::size_t dim : inside_out(tensor)) {
    strides[dim] = stride;
    stride *= std::max<std::int64_t>(tensor.sizes()[dim], 1);
  }
  return strides;
}

Tensor to(Runtime& runtime, const Tensor& tensor, const ToOptions& options) {
  check(tensor.defined(), [] { return "to: the tensor is undefined"; });
  const ScalarType dtype = options.dtype.value_or(tensor.dtype());
  const Device device =
      options.device ? runtime.resolve(*options.device) : tensor.device();  // CORE-20
  const bool is_format =
      options.format == MemoryFormat::kPreserve || options.format == suggested_format(tensor);
  const bool agrees = dtype == tensor.dtype() && device == tensor.device() && is_format &&
                      !is_another_cpu(runtime, options);
  if (agrees && !options.copy) return tensor;
  if (tensor.is_sparse()) return sparse_to(runtime, tensor, options);
  check(!tensor.is_meta() || device.is_meta(), ErrorKind::kNotImplemented, [&] {
    return "cannot copy out of meta tensor: no data, from " + describe(tensor) + " to " +
           to_text(device);
  });
  const Shape strides = strides_for(tensor, options.format);
  // MEM-028: an asynchronous copy to the host needs a pinned target.
  const bool is_pinned = options.non_blocking && tensor.is_cuda() && device.is_cpu();
  Tensor made = is_pinned ? empty_pinned(runtime, tensor.sizes(), strides, dtype)
                          : empty_strided(runtime, tensor.sizes(), strides, dtype, device);
  transfer(runtime, made, tensor, options.non_blocking);
  // CORE-13: an inference tensor has no key by which the write would be hidden.
  if (tensor.is_inference() && !made.is_inference()) made.bump_version();
  return made;
}

Tensor copy_(Runtime& runtime, const Tensor& dst, const Tensor& src, bool non_blocking) {
  check_can_copy(dst, src);
  const bool is_itself =
      dst.is_same(src) || (runtime.contract().at_least(Release::k2_4) && is_same_view(dst, src));
  if (!is_itself) {
    check_no_internal_overlap(dst);
    check_no_partial_overlap(dst, src);
    Tensor from = broadcast(src, dst.sizes());
    if (dst.is_alias_of(src) && !src.is_meta()) from = clone(runtime, from);
    transfer(runtime, dst, from, non_blocking);
  }
  note_write(runtime, dst);
  return dst;
}

Tensor clone(Runtime& runtime, const Tensor& tensor) {
  ToOptions options;
  options.copy = true;
  return to(runtime, tensor, options);
}

Tensor copy_into_new(Runtime& runtime, const Tensor& made, const Tensor& src) {
  transfer(runtime, made, src, false);
  return made;
}

}  // namespace assay::reference
