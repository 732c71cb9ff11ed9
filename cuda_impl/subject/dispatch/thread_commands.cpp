// Area dispatch: the calling thread's key sets and their guards.
#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/subject/command_table.hpp"
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

template <Which kWhich>
void set_key(Call& call) {
  dispatch::set_key(call.contract(), kWhich, key_argument(call, "key"),
                    call.arguments().boolean("value"));
}

struct Snapshot {
  dispatch::ThreadSnapshot keys;
  autocast::LowTypes low_types;
};

/// The low-precision types are part of the snapshot since 2.5 (CAST-111).
class SnapshotGuard {
 public:
  SnapshotGuard(const Contract& contract, const Snapshot& snapshot)
      : keys_(contract, snapshot.keys), before_(autocast::low_types()) {
    if (contract.release >= Release::k2_11) autocast::set_low_types(snapshot.low_types);
  }
  ~SnapshotGuard() { autocast::set_low_types(before_); }
  SnapshotGuard(const SnapshotGuard&) = delete;
  SnapshotGuard& operator=(const SnapshotGuard&) = delete;

 private:
  dispatch::ThreadSnapshotGuard keys_;
  autocast::LowTypes before_;
};

}  // namespace

void dispatch_tls(Call& call) {
  const ThreadKeys now = thread_keys(layout_of(call));
  call.set("included", to_value(now.included));
  call.set("excluded", to_value(now.excluded));
}

void dispatch_include(Call& call) {
  give_guard<dispatch::KeyGuard>(call, Which::kIncluded, set_argument(call, "keys"));
}

void dispatch_exclude(Call& call) {
  give_guard<dispatch::KeyGuard>(call, Which::kExcluded, set_argument(call, "keys"));
}

void dispatch_force(Call& call) {
  give_guard<dispatch::ForceKeysGuard>(
      call, ThreadKeys{set_argument(call, "included"), set_argument(call, "excluded")});
}

void dispatch_below(Call& call) {
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

void dispatch_is_included(Call& call) {
  const Layout& layout = layout_of(call);
  call.result(Value(layout.has(thread_keys(layout).included, key_argument(call, "key"))));
}

void dispatch_is_excluded(Call& call) {
  const Layout& layout = layout_of(call);
  call.result(Value(layout.has(thread_keys(layout).excluded, key_argument(call, "key"))));
}

void dispatch_zero_tls(Call&) { dispatch::reset_thread_keys(); }

void dispatch_thread_state(Call& call) {
  auto state = std::make_shared<Snapshot>(
      Snapshot{dispatch::thread_snapshot(layout_of(call)), autocast::low_types()});
  call.result(Object(std::move(state), "thread_state"));
}

void dispatch_restore(Call& call) {
  give_guard<SnapshotGuard>(call, *call.held<Snapshot>("state", "thread_state"));
}

void dispatch_set_included(Call& call) { set_key<Which::kIncluded>(call); }
void dispatch_set_excluded(Call& call) { set_key<Which::kExcluded>(call); }

}  // namespace assay::cuda
