// Streams as arguments and results of the area runtime.
#pragma once

#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "harness/adapters/libtorch/call.hpp"

namespace assay::libtorch {

c10::Stream stream_argument(Call& call, std::string_view name = "stream");
c10::Device device_argument(Call& call, std::string_view name = "device");
/// A stream with its device and id.
void give_stream(Call& call, const c10::Stream& stream);
Value stream_value(const c10::Stream& stream);

std::string sixteen_digits(std::uint64_t value);

/// Found by PyTorch, which raises if the type has none.
const c10::impl::DeviceGuardImplInterface* backend_of(c10::DeviceType type);

}  // namespace assay::libtorch
