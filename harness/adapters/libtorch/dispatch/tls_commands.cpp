// Area dispatch: the calling thread's key sets, and guards for them.
#include <ATen/ThreadLocalState.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/keys.hpp"

namespace assay::libtorch {
namespace {

using c10::impl::LocalDispatchKeySet;
using c10::impl::PODLocalDispatchKeySet;

LocalDispatchKeySet sets_argument(Call& call) {
  PODLocalDispatchKeySet sets{};
  sets.set_included(set_argument(call, "included"));
  sets.set_excluded(set_argument(call, "excluded"));
  return {sets};
}

}  // namespace

void dispatch_tls(Call& call) {
  const LocalDispatchKeySet now = c10::impl::tls_local_dispatch_key_set();
  call.set("included", bits_value(now.included_));
  call.set("excluded", bits_value(now.excluded_));
}

void dispatch_include(Call& call) {
  call.give_guard<c10::impl::IncludeDispatchKeyGuard>(set_argument(call, "keys"));
}

void dispatch_exclude(Call& call) {
  call.give_guard<c10::impl::ExcludeDispatchKeyGuard>(set_argument(call, "keys"));
}

void dispatch_force(Call& call) {
  call.give_guard<c10::impl::ForceDispatchKeyGuard>(sets_argument(call));
}

void dispatch_below(Call& call) {
  const std::string what = call.arguments().text("what");
  if (what == "autograd") return call.give_guard<at::AutoDispatchBelowAutograd>();
  if (what == "ADInplaceOrView") return call.give_guard<at::AutoDispatchBelowADInplaceOrView>();
  if (what == "inference_mode") return call.give_guard<c10::InferenceMode>(true);
  throw NotSupported("no guard below '" + what + "'");
}

void dispatch_set_included(Call& call) {
  c10::impl::tls_set_dispatch_key_included(key_named(call.arguments().text("key")),
                                           call.arguments().boolean("value"));
}

void dispatch_set_excluded(Call& call) {
  c10::impl::tls_set_dispatch_key_excluded(key_named(call.arguments().text("key")),
                                           call.arguments().boolean("value"));
}

void dispatch_is_included(Call& call) {
  const auto key = key_named(call.arguments().text("key"));
  call.result(Value(c10::impl::tls_is_dispatch_key_included(key)));
}

void dispatch_is_excluded(Call& call) {
  const auto key = key_named(call.arguments().text("key"));
  call.result(Value(c10::impl::tls_is_dispatch_key_excluded(key)));
}

void dispatch_zero_tls(Call&) {
  c10::impl::raw_local_dispatch_key_set = PODLocalDispatchKeySet{0, 0};
}

void dispatch_thread_state(Call& call) {
  call.result(Object(std::make_shared<at::ThreadLocalState>(), "thread_state"));
}

void dispatch_restore(Call& call) {
  const auto state = call.held<at::ThreadLocalState>("state", "thread_state");
  call.give_guard<at::ThreadLocalStateGuard>(*state);
}

}  // namespace assay::libtorch
