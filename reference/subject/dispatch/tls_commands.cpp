// Area dispatch: key sets of the calling thread, and guards.
#include "reference/autocast/thread_state.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/dispatch/key_arguments.hpp"

namespace assay::reference {
namespace {

/// A runtime guard that lasts until the client leaves it.
template <typename T>
class HeldGuard final : public Guard {
 public:
  template <typename... A>
  explicit HeldGuard(A&&... arguments) : held_(std::in_place, std::forward<A>(arguments)...) {}
  void leave() override { held_.reset(); }

 private:
  std::optional<T> held_;
};

template <typename T, typename... A>
void give_guard(Call& call, A&&... arguments) {
  std::shared_ptr<Guard> guard =
      std::make_shared<HeldGuard<T>>(call.runtime(), std::forward<A>(arguments)...);
  call.result(Object(std::move(guard), "guard"));
}

}  // namespace

void dispatch_tls(Call& call) {
  const ThreadKeys now = thread_keys(call.runtime());
  call.set("included", to_value(now.included));
  call.set("excluded", to_value(now.excluded));
}

void dispatch_include(Call& call) { give_guard<IncludeKeyGuard>(call, set_argument(call, "keys")); }
void dispatch_exclude(Call& call) { give_guard<ExcludeKeyGuard>(call, set_argument(call, "keys")); }

void dispatch_force(Call& call) {
  give_guard<ForceKeysGuard>(
      call, ThreadKeys{set_argument(call, "included"), set_argument(call, "excluded")});
}

void dispatch_below(Call& call) {
  const KeyLayout& layout = key_layout(call);
  const std::string what = call.arguments().text("what");
  if (what == "autograd") return give_guard<ExcludeKeyGuard>(call, autograd_keys_below(layout));
  if (what == "ADInplaceOrView") {
    return give_guard<ExcludeKeyGuard>(call, inplace_keys_below(layout));
  }
  if (what == "inference_mode") return give_guard<InferenceModeGuard>(call);
  throw NotSupported("no guard below '" + what + "'");
}

void dispatch_set_included(Call& call) {
  set_included(call.runtime(), key_argument(call, "key"), call.arguments().boolean("value"));
}

void dispatch_set_excluded(Call& call) {
  set_excluded(call.runtime(), key_argument(call, "key"), call.arguments().boolean("value"));
}

void dispatch_is_included(Call& call) {
  call.result(Value(is_included(call.runtime(), key_argument(call, "key"))));
}

void dispatch_is_excluded(Call& call) {
  call.result(Value(is_excluded(call.runtime(), key_argument(call, "key"))));
}

void dispatch_zero_tls(Call& call) { zero_thread_keys(call.runtime()); }

void dispatch_thread_state(Call& call) {
  auto state = std::make_shared<ThreadState>(thread_state(call.runtime()));
  call.result(Object(std::move(state), "thread_state"));
}

void dispatch_restore(Call& call) {
  give_guard<ThreadStateGuard>(call, *call.held<ThreadState>("state", "thread_state"));
}

}  // namespace assay::reference
