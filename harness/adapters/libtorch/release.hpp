// Features of PyTorch that differ between releases: the only file that depends on the
// version.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/enum_tag.h>
#include <c10/core/Event.h>

#include <string>
#include <string_view>
#include <vector>

#include "harness/adapters/libtorch/call.hpp"

namespace assay::libtorch {

/// The newest release of the contract that is not newer than this PyTorch.
Release release();

struct NamedTag {
  std::string_view name;
  at::Tag tag;
};
/// All devices that this PyTorch supports.
const std::vector<NamedTag>& tags();

at::ScalarType autocast_cpu_dtype();
void set_autocast_cpu_dtype(at::ScalarType dtype);

/// `nothing` or `warn`, for the process (DSP-512). NotSupported before 2.4, and for other values.
void set_autograd_fallback(const std::string& mode);
/// Restores the initial state of the process.
void reset_autograd_fallback();

/// The kernel that refuses tensors with named dimensions (DSP-708). NotSupported since 2.13.
template <typename Kernel>
Kernel named_guard() {
  if constexpr (requires { Kernel::makeNamedNotSupported(); }) {
    return Kernel::makeNamedNotSupported();
  } else {
    throw NotSupported("this PyTorch has no named dimensions");
  }
}

/// True if PyTorch has issued a one-time warning in this process (DSP-412).
bool has_warned_once();

/// Passes PyTorch's warnings on the calling thread to `keep` from now on.
void hand_warnings_to(void (*keep)(Warning warning));

/// The fields of `runtime.pack` and `runtime.unpack`: one word up to 1.13, three numbers
/// since.
void give_packed(Call& call, const c10::Stream& stream);
c10::Stream unpacked_argument(Call& call);
/// 1.13 packs a stream to print it, and aborts for an id that cannot be packed
/// (STR-004): NotSupported.
void expect_printable(const c10::Stream& stream);

// Since 2.4 or later; NotSupported before.
c10::Stream new_stream(const c10::impl::DeviceGuardImplInterface& backend, c10::Device device,
                       int priority);
void wait_on_host(const c10::Event& event);
double elapsed_ms(const c10::Event& from, const c10::Event& to);

/// `access` is `plain` and, since 2.0, `const` or `mutable`.
template <typename T, typename Tensor>
const void* pointer_to(const Tensor& tensor, const std::string& access) {
  if (access == "plain") return tensor.template data_ptr<T>();
  if constexpr (requires { tensor.template const_data_ptr<T>(); }) {
    if (access == "const") return tensor.template const_data_ptr<T>();
    if (access == "mutable") return tensor.template mutable_data_ptr<T>();
  }
  throw NotSupported("this PyTorch has no access '" + access + "'");
}

}  // namespace assay::libtorch
