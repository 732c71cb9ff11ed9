// Area dispatch: keys, key sets, the keys of tensors, and those of the calling thread.
#include <array>

#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/dispatch/keys/tensor_keys.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/dispatch/objects.hpp"

namespace assay::cuda {
namespace {

using dispatch::Backend;
using dispatch::KeyKind;
using dispatch::TensorLayout;
using dispatch::TensorTraits;

Value functionality_names(std::span<const Functionality> all) {
  List list;
  for (const Functionality one : all) list.items.emplace_back(facts(one).name);
  return list;
}

std::string_view text_of(KeyKind kind) {
  static constexpr std::array<std::string_view, 5> kTexts = {"undefined", "plain", "runtime",
                                                             "block", "alias"};
  return kTexts[static_cast<std::size_t>(kind)];
}

/// Returns whether backends, including nested tensors, have kernels for the key.
bool is_of_backend(const Layout& layout, Key key) {
  const KeyKind kind = layout.kind_of(key);
  const bool is_runtime =
      kind == KeyKind::kRuntime && key.functionality != Functionality::kAutograd;
  return is_runtime || (kind == KeyKind::kPlain && layout.is_backend_key(key));
}

KeySet without_backend(Call& call, KeySet a) {
  const Key key = key_argument(call, "b");
  const bool is_backend =
      key.functionality == Functionality::kDense && key.backend != Backend::kNone;
  require(is_backend, [&] { return "there is no backend " + name_of(key); });
  return a.without({dispatch::key_bit(layout_of(call).index_of(key.backend))});
}

KeySet outcome(Call& call, KeySet a) {
  const Layout& layout = layout_of(call);
  const std::string operation = call.arguments().text("operation");
  if (operation == "or") return a | set_argument(call, "b");
  if (operation == "and") return a & set_argument(call, "b");
  if (operation == "xor") return a ^ set_argument(call, "b");
  if (operation == "minus") return layout.minus(a, set_argument(call, "b"));
  if (operation == "add") return a | layout.set_of(key_argument(call, "b"));
  if (operation == "remove") return layout.minus(a, layout.set_of(key_argument(call, "b")));
  if (operation == "remove_backend") return without_backend(call, a);
  throw NotSupported("no operation '" + operation + "' on sets of keys");
}

/// DSP-112: PyTorch prints a placeholder for the missing backend.
std::string highest_text(Call& call, Key highest) {
  const Layout& layout = layout_of(call);
  if (layout.kind_of(highest) != KeyKind::kBlock || call.contract().is_strict) {
    return name_of(highest);
  }
  const char* word = call.release() == Release::k1_13 ? "Unknown" : "Undefined";
  return std::string(facts(highest.functionality).prefix) + word;
}

KeySet named(Call& call, const std::string& name) {
  const Layout& layout = layout_of(call);
  if (name == "full") return layout.full();
  if (name == "full_after") return layout.full_after(key_argument(call, "key"));
  if (name == "after_autograd") return layout.full_after(Functionality::kAutogradOther);
  if (name == "after_ADInplaceOrView") return layout.full_after(Functionality::kADInplaceOrView);
  if (name == "after_functionalize") {
    return layout.minus(layout.full_after(Functionality::kFunctionalize),
                        layout.set_of(Functionality::kADInplaceOrView));
  }
  throw NotSupported("no set of keys '" + name + "'");
}

DeviceKind device_argument(Call& call) {
  const std::string text = call.arguments().text("device");
  const auto found = device_kind_named(text, call.release());
  if (!found) throw InvalidArgument("there is no device type '" + text + "' in this release");
  return *found;
}

TensorLayout layout_argument(Call& call) {
  static constexpr std::array<std::string_view, 4> kNames = {"strided", "sparse", "sparse_csr",
                                                             "mkldnn"};
  const std::string text = call.arguments().text("layout", "strided");
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<TensorLayout>(i);
  }
  throw NotSupported("no layout '" + text + "'");
}

TensorTraits traits_argument(Call& call) {
  return {.device = device_argument(call),
          .dtype = call.dtype_or_none("dtype").value_or(Dtype::kFloat32),
          .layout = layout_argument(call),
          .is_inference = call.arguments().boolean("inference", inference_mode())};
}

KeySet marks(Call& call) {
  const Layout& layout = layout_of(call);
  KeySet all;
  const auto add = [&](std::string_view name, Functionality mark) {
    if (call.arguments().boolean(name, false)) all |= layout.set_of(mark);
  };
  add("conj", Functionality::kConjugate);
  add("neg", Functionality::kNegative);
  add("zero", Functionality::kZeroTensor);
  return all;
}

KeySet keys_of_value(Call& call, const Value& value) {
  const Layout& layout = layout_of(call);
  if (value.is_none()) return {};
  if (const auto* list = value.get_if<List>()) {
    KeySet all;
    for (const Value& item : list->items) all |= keys_of_value(call, item);
    return all;
  }
  if (const auto* generator = value.get_if<Generator>()) {
    return generator_keys(layout, from_waist(generator->device, call.release()).kind);
  }
  return keys_of(layout, call.tensor_from(value));
}

}  // namespace

void dispatch_keys(Call& call) {
  const Layout& layout = layout_of(call);
  List backends;
  for (const Backend backend : layout.backends()) backends.items.emplace_back(name_of(backend));
  List per_backend;
  for (const Functionality one : layout.functionalities()) {
    if (facts(one).is_per_backend) per_backend.items.emplace_back(facts(one).name);
  }
  call.set("backends", std::move(backends));
  call.set("functionalities", functionality_names(layout.functionalities()));
  call.set("per_backend", std::move(per_backend));
  call.set("aliases", functionality_names(layout.aliases()));
  call.set("slots", std::int64_t{layout.slots()});
  call.set("full", to_value(layout.full()));
}

void dispatch_key(Call& call) {
  const Layout& layout = layout_of(call);
  const Key asked = key_argument(call, "key");
  const auto slot = layout.slot_of(asked);
  const bool is_backends = is_of_backend(layout, asked);
  call.set("kind", text_of(layout.kind_of(asked)));
  call.set("slot", slot ? Value(std::int64_t{*slot}) : Value());
  call.set("set", to_value(layout.set_of(asked)));
  call.set("autograd", is_backends ? Value(name_of(layout.autograd_of(asked))) : Value());
}

void dispatch_members(Call& call) {
  const Layout& layout = layout_of(call);
  const Key asked = key_argument(call, "key");
  require(!asked.is_undefined(), ErrorKind::kInternal,
          [] { return "Undefined is no alias, and stands for no keys"; });
  const dispatch::Slots slots = layout.members_of(asked);
  std::vector<Key> found;
  for (unsigned slot = 0; slot < static_cast<unsigned>(layout.slots()); ++slot) {
    if (slots[slot]) found.push_back(layout.key_at(slot));
  }
  call.result(names_of(found));
}

void dispatch_parse_key(Call& call) {
  const Key found = layout_of(call).parse(call.arguments().text("text"), call.contract());
  call.result(Value(name_of(found)));
}

void dispatch_set(Call& call) {
  const Layout& layout = layout_of(call);
  KeySet made = set_argument(call, "a");
  if (call.has("operation")) made = outcome(call, made);
  call.set("set", to_value(made));
  call.set("empty", made.empty());
  call.set("highest", highest_text(call, layout.highest(made)));
  call.set("slot", std::int64_t{layout.slot_map().slot_of(made)});
  call.set("keys", names_of(layout.keys_of(made)));
  call.set("text", layout.text(made));
  call.set("backend_key", highest_text(call, layout.highest_backend(made)));
}

void dispatch_has(Call& call) {
  const Layout& layout = layout_of(call);
  const bool is_checked = call.contract().is_strict;  // DSP-109
  const KeySet asked = set_argument(call, "set");
  if (call.has("all")) return call.result(Value(asked.has_all(set_argument(call, "all"))));
  if (call.has("any")) {
    const KeySet any = set_argument(call, "any");
    return call.result(Value(is_checked ? layout.has_any(asked, any) : !(asked & any).empty()));
  }
  const Key key = key_argument(call, "key");
  if (!is_checked && key.is_undefined()) return call.result(Value(true));
  call.result(Value(layout.has(asked, key)));
}

void dispatch_named_set(Call& call) {
  call.result(to_value(named(call, call.arguments().text("name"))));
}

void dispatch_device_key(Call& call) {
  call.result(Value(name_of(registration_key(layout_of(call), device_argument(call)))));
}

void dispatch_backend_key(Call& call) {
  call.result(Value(name_of(dispatch::backend_key(layout_of(call), traits_argument(call)))));
}

/// A tensor without data, on a device that need not exist.
void dispatch_tensor(Call& call) {
  auto body = Counted<TensorBody>::make();
  body->version = std::make_shared<Version>(0);
  body->sizes = {1};
  body->strides = {1};
  body->numel = 1;
  const Tensor made(body);
  if (call.has("keys")) {
    set_keys(made, set_argument(call, "keys"));
  } else {
    const TensorTraits traits = traits_argument(call);
    body->dtype = traits.dtype;
    body->device = {traits.device, traits.device == DeviceKind::kCuda ? 0 : -1};
    body->is_inference = traits.is_inference;
    set_keys(made, key_set_of(layout_of(call), traits) | marks(call));
  }
  body->storage = std::make_shared<Storage>(kMeta, 0);
  if (call.command().as.empty()) return call.result(Value(Opaque{"tensor"}));
  call.result(made);
}

void dispatch_tensor_keys(Call& call) {
  call.result(to_value(keys_of_value(call, call.arguments().value("of"))));
}

// The calling thread's key sets and their guards.

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
