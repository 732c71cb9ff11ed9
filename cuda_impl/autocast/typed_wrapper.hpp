// Autocast wrappers for operators with a known C++ signature: one instantiation for each policy,
// device and signature (CAST-301).
#pragma once

#include <memory>
#include <utility>

#include "cuda_impl/autocast/boxed_wrapper.hpp"
#include "cuda_impl/autocast/casts.hpp"
#include "cuda_impl/dispatch/call/typed_handle.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"

namespace assay::cuda::autocast {

/// `static R call(args...)` casts the arguments by the policy and calls the target's handle with
/// them. They are converted to the registered parameters first (CAST-302). Other policies are
/// those of the boxed wrapper alone.
template <CastPolicy kPolicy, DeviceKind kDevice, typename Signature>
struct Wrapper;

template <CastPolicy kPolicy, DeviceKind kDevice, typename R, typename... Args>
struct Wrapper<kPolicy, kDevice, R(Args...)> {
  using Target = dispatch::TypedHandle<R(Args...)>;

  [[gnu::always_inline]] static R call(const Target& target, Args... args) {
    const OffGuard off(kDevice);
    if constexpr (kPolicy == CastPolicy::kLowerPrecision) {
      return cast_all(target, low_dtype(kDevice), args...);
    } else {
      static_assert(kPolicy == CastPolicy::kPromote, "no typed wrapper has this policy");
      return cast_all(target, promote_type(low_dtype(kDevice), kDevice, args...), args...);
    }
  }

  /// The kernel of the registered signature; its entry's functor is the target's handle.
  static R run(const dispatch::Entry& entry, dispatch::KeySet keys, Args... args) {
    dispatch::report_typed_start(entry, keys, args...);
    return call(dispatch::functor_of<Target>(entry), std::forward<Args>(args)...);
  }

 private:
  [[gnu::always_inline]] static R cast_all(const Target& target, Dtype to, const Args&... args) {
    return target.call(cached_cast(to, args, kDevice)...);
  }
};

/// Returns the kernel for the device's autocast key.
template <CastPolicy kPolicy, DeviceKind kDevice, typename Signature>
dispatch::Kernel typed_wrapper(dispatch::Operator& target) {
  using Made = Wrapper<kPolicy, kDevice, Signature>;
  return dispatch::typed_kernel<&Made::run>(std::make_shared<const typename Made::Target>(target));
}

}  // namespace assay::cuda::autocast
