// Area dispatch: the calling thread's key sets and their guards.
#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/subject/dispatch/commands.hpp"
#include "cuda_impl/subject/dispatch/objects.hpp"
#include "cuda_impl/subject/guards.hpp"

namespace assay::cuda {
namespace {

using dispatch::ThreadKeys;
using dispatch::Which;

template <typename T, typename... Args>
void give_guard(Call& call, Args&&... args) {
  give_held<T>(call, call.contract(), std::forward<Args>(args)...);
}

void tls(Call& call) {
  const ThreadKeys now = thread_keys(layout_of(call));
  call.set("included", to_value(now.included));
  call.set("excluded", to_value(now.excluded));
}

void include(Call& call) {
  give_guard<dispatch::KeyGuard>(call, Which::kIncluded, set_argument(call, "keys"));
}

void exclude(Call& call) {
  give_guard<dispatch::KeyGuard>(call, Which::kExcluded, set_argument(call, "keys"));
}

void force(Call& call) {
  give_guard<dispatch::ForceKeysGuard>(
      call, ThreadKeys{set_argument(call, "included"), set_argument(call, "excluded")});
}

void below(Call& call) {
  const Layout& layout = layout_of(call);
  const std::string what = call.arguments().text("what");
  if (what == "inference_mode") return give_guard<dispatch::InferenceModeGuard>(call);
  if (what == "autograd") {
    return give_guard<dispatch::KeyGuard>(call, Which::kExcluded, keys_below_autograd(layout));
  }
  if (what == "ADInplaceOrView") {
    return give_guard<dispatch::KeyGuard>(call, Which::kExcluded, keys_below_views(layout));
  }
  throw NotSupported("no guard below '" + what + "'");
}

template <Which kWhich>
void set_key(Call& call) {
  dispatch::set_key(call.contract(), kWhich, key_argument(call, "key"),
                    call.arguments().boolean("value"));
}

void is_included(Call& call) {
  const Layout& layout = layout_of(call);
  call.result(Value(layout.has(thread_keys(layout).included, key_argument(call, "key"))));
}

void is_excluded(Call& call) {
  const Layout& layout = layout_of(call);
  call.result(Value(layout.has(thread_keys(layout).excluded, key_argument(call, "key"))));
}

void zero_tls(Call&) { dispatch::reset_thread_keys(); }

struct Snapshot {
  dispatch::ThreadSnapshot keys;
  autocast::LowTypes low_types;
};

/// The low-precision types are part of the snapshot since 2.5 (CAST-111).
class SnapshotGuard {
 public:
  SnapshotGuard(const Contract& contract, const Snapshot& snapshot)
      : keys_(contract, snapshot.keys), before_(autocast::low_types()) {
    if (contract.release == Release::k2_11) autocast::set_low_types(snapshot.low_types);
  }
  ~SnapshotGuard() { autocast::set_low_types(before_); }
  SnapshotGuard(const SnapshotGuard&) = delete;
  SnapshotGuard& operator=(const SnapshotGuard&) = delete;

 private:
  dispatch::ThreadSnapshotGuard keys_;
  autocast::LowTypes before_;
};

void thread_state(Call& call) {
  auto state = std::make_shared<Snapshot>(
      Snapshot{dispatch::thread_snapshot(layout_of(call)), autocast::low_types()});
  call.result(Object(std::move(state), "thread_state"));
}

void restore(Call& call) {
  give_guard<SnapshotGuard>(call, *call.held<Snapshot>("state", "thread_state"));
}

}  // namespace

void add_dispatch_thread_commands(CommandTable& table) {
  table.add("dispatch.tls", tls);
  table.add("dispatch.include", include);
  table.add("dispatch.exclude", exclude);
  table.add("dispatch.force", force);
  table.add("dispatch.below", below);
  table.add("dispatch.set_included", set_key<Which::kIncluded>);
  table.add("dispatch.set_excluded", set_key<Which::kExcluded>);
  table.add("dispatch.is_included", is_included);
  table.add("dispatch.is_excluded", is_excluded);
  table.add("dispatch.zero_tls", zero_tls);
  table.add("dispatch.thread_state", thread_state);
  table.add("dispatch.restore", restore);
}

}  // namespace assay::cuda
