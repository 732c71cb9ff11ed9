// Typed built-in kernels that report to kernel traces.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "cuda_impl/dispatch/call/trace.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"

namespace assay::cuda::dispatch {

namespace detail {
template <typename... Args>
[[gnu::noinline, gnu::cold]] void report_typed(const Entry& entry, KeySet keys,
                                               const Args&... args) {
  const Release release = entry.table->layout->release();
  const std::vector<Boxed> boxed{Boxing<std::remove_cvref_t<Args>>::box(args, release)...};
  report_to_traces({.label = entry.registered->debug,
                    .entry = entry,
                    .keys = keys,
                    .is_boxed = false,
                    .arguments = boxed});
}
}  // namespace detail

/// Call at the start of a typed kernel. Costs one branch if there is no trace.
template <typename... Args>
void report_typed_start(const Entry& entry, KeySet keys, const Args&... args) {
  if (is_traced()) [[unlikely]]
    detail::report_typed(entry, keys, args...);
}

namespace detail {
template <auto kFunction, typename F = std::remove_pointer_t<decltype(kFunction)>>
struct Traced;
template <auto kFunction, typename R, typename... Args>
struct Traced<kFunction, R(Args...)> {
  static R run(const Entry& entry, KeySet keys, Args... args) {
    report_typed_start(entry, keys, args...);
    return kFunction(std::forward<Args>(args)...);
  }
};
}  // namespace detail

/// Returns a kernel for a function `R(Args...)` that reports its start to traces.
template <auto kFunction>
Kernel traced_kernel() {
  return typed_kernel<&detail::Traced<kFunction>::run>();
}

}  // namespace assay::cuda::dispatch
