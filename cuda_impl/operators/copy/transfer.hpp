// Elements on their way between the host and devices, and between devices.
#pragma once

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// The same type, and elements that lie in memory in the same order without gaps.
bool has_same_layout(const Tensor& a, const Tensor& b);

/// Moves the bytes of `source` to another place of the same layout, behind what the current streams
/// of both devices have to do. A copy from memory of the host has read it when this returns; one to
/// the host has to be waited for.
void transfer(const Tensor& target, const Tensor& source);

/// CAP-004: since 2.11 a copy between a device and memory of the host that is not pinned is refused
/// before it spoils the capture. Raises `error`.
void refuse_in_capture(const Tensor& target, const Tensor& source, Release release);

/// Can devices copy from and to its memory by themselves (MEM-028)?
bool is_pinned(const Tensor& tensor);
/// A copy between the two is under way: pinned memory of the host is not used again before its end.
void note_use_of_pinned(const Tensor& on_host, const Tensor& on_device);

/// Until the current stream of the tensor's device has done what it has to do.
void wait_for(const Tensor& on_device);

}  // namespace assay::cuda
