// Area dispatch: keys, their sets, the keys of tensors, key sets of the calling thread, and guards.
#include <array>

#include "reference/autocast/state.hpp"
#include "reference/core/runtime.hpp"
#include "reference/core/types/error.hpp"
#include "reference/dispatch/keys/key_set.hpp"
#include "reference/dispatch/keys/tensor_keys.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/subject/call.hpp"
#include "reference/subject/dispatch/objects.hpp"

namespace assay::reference {
namespace {

template <typename T>
Value names_of(const T& keys) {
  assay::List list;
  for (const auto key : keys) list.items.emplace_back(name_of(key));
  return list;
}

std::string_view kind_text(KeyKind kind) {
  constexpr std::array<std::string_view, 5> kNames{"undefined", "plain", "runtime", "block",
                                                   "alias"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// Whether backends register kernels at the key, so that tensors can have it.
bool is_of_backend(const KeyLayout& layout, DispatchKey key) {
  if (layout.kind_of(key) == KeyKind::kRuntime) {
    return key.functionality != Functionality::kAutogradFunctionality;
  }
  return layout.kind_of(key) == KeyKind::kPlain &&
         is_member(layout, key, Functionality::kCompositeExplicitAutograd);
}

Backend backend_argument(Call& call, std::string_view name) {
  const DispatchKey key = key_argument(call, name);
  check(key.functionality == Functionality::kDense && key.backend != Backend::kNone,
        [&] { return "there is no backend " + name_of(key); });
  return key.backend;
}

KeySet outcome(Call& call, KeySet a) {
  const KeyLayout& layout = key_layout(call);
  const std::string operation = call.arguments().text("operation");
  if (operation == "or") return a | set_argument(call, "b");
  if (operation == "and") return a & set_argument(call, "b");
  if (operation == "xor") return a ^ set_argument(call, "b");
  if (operation == "minus") return minus(layout, a, set_argument(call, "b"));
  if (operation == "add") return a | set_of(layout, key_argument(call, "b"));
  if (operation == "remove") return remove(layout, a, key_argument(call, "b"));
  if (operation == "remove_backend") {
    return remove_backend(layout, a, backend_argument(call, "b"));
  }
  throw NotSupported("no operation '" + operation + "' on sets of keys");
}

DeviceType device_type_argument(Call& call) {
  const std::string text = call.arguments().text("device");
  const auto found = device_type_named(text, call.contract().release);
  if (!found) throw InvalidArgument("there is no device type '" + text + "' in this release");
  return *found;
}

KeyLayoutOf layout_argument(Call& call) {
  constexpr std::array<std::string_view, 4> kNames{"strided", "sparse", "sparse_csr", "mkldnn"};
  const std::string text = call.arguments().text("layout", "strided");
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<KeyLayoutOf>(i);
  }
  throw NotSupported("no layout '" + text + "'");
}

TensorTraits traits_argument(Call& call) {
  return {.device = device_type_argument(call),
          .dtype = call.dtype_or_none("dtype").value_or(ScalarType::kFloat),
          .layout = layout_argument(call),
          .inference = call.arguments().boolean("inference", is_inference_mode(call.runtime()))};
}

/// A CUDA tensor has an index, but the device need not exist.
Device probe_device(DeviceType type) { return {type, type == DeviceType::kCuda ? 0 : -1}; }

KeySet marked(Call& call, KeySet keys) {
  const KeyLayout& layout = key_layout(call);
  const auto add = [&](std::string_view name, Functionality mark) {
    if (call.arguments().boolean(name, false)) keys = keys | set_of(layout, mark);
  };
  add("conj", Functionality::kConjugate);
  add("neg", Functionality::kNegative);
  add("zero", Functionality::kZeroTensor);
  return keys;
}

KeySet keys_of_value(Call& call, const Value& value) {
  const KeyLayout& layout = key_layout(call);
  if (value.is_none()) return {};
  if (const auto* list = value.get_if<assay::List>()) {
    KeySet united;
    for (const Value& item : list->items) united = united | keys_of_value(call, item);
    return united;
  }
  if (const auto* generator = value.get_if<assay::Generator>()) {
    const Device device = to_reference(call.runtime(), generator->device);
    return key_set_of(layout, std::make_shared<GeneratorState>(GeneratorState{device, 0}));
  }
  return key_set_of(layout, call.tensor_from(value));
}

}  // namespace

void dispatch_keys(Call& call) {
  const KeyLayout& layout = key_layout(call);
  call.set("backends", names_of(layout.backends()));
  call.set("functionalities", names_of(layout.functionalities()));
  call.set("per_backend", names_of(layout.per_backend()));
  call.set("aliases", names_of(layout.aliases()));
  call.set("slots", layout.slots());
  call.set("full", to_value(full_set(layout)));
}

void dispatch_key(Call& call) {
  const KeyLayout& layout = key_layout(call);
  const DispatchKey asked = key_argument(call, "key");
  const auto slot = layout.slot_of(asked);
  call.set("kind", kind_text(layout.kind_of(asked)));
  call.set("slot", slot ? Value(*slot) : Value());
  call.set("set", to_value(set_of(layout, asked)));
  const bool differentiates = is_of_backend(layout, asked);
  call.set("autograd", differentiates ? Value(name_of(autograd_key_of(layout, asked))) : Value());
}

void dispatch_members(Call& call) {
  const KeyLayout& layout = key_layout(call);
  const DispatchKey key = key_argument(call, "key");
  check(key != DispatchKey(), ErrorKind::kInternal,
        [] { return "Undefined is no alias and stands for no keys"; });  // DSP-106
  call.result(to_value(keys_of(layout, members_of(layout, key))));
}

void dispatch_parse_key(Call& call) {
  const DispatchKey found =
      key_layout(call).parse(call.arguments().text("text"), call.contract().deviations);
  call.result(Value(name_of(found)));
}

void dispatch_set(Call& call) {
  const KeyLayout& layout = key_layout(call);
  KeySet made = set_argument(call, "a");
  if (call.has("operation")) made = outcome(call, made);
  call.set("set", to_value(made));
  call.set("empty", made.empty());
  call.set("highest", highest_name(call.contract(), highest_key(layout, made)));
  call.set("slot", slot_of(layout, made));
  call.set("keys", to_value(keys_of(layout, made)));
  call.set("text", to_text(layout, made));
  call.set("backend_key", highest_name(call.contract(), highest_backend_key(layout, made)));
}

void dispatch_has(Call& call) {
  const KeySet asked = set_argument(call, "set");
  const bool is_checked = call.contract().deviations == Deviations::kStrict;  // DSP-109
  if (call.has("all")) return call.result(Value(has_all(asked, set_argument(call, "all"))));
  if (call.has("any")) {
    const KeySet any = set_argument(call, "any");
    if (!is_checked) return call.result(Value((asked & any).bits != 0));
    return call.result(Value(has_any(key_layout(call), asked, any)));
  }
  const DispatchKey key = key_argument(call, "key");
  if (!is_checked && key == DispatchKey()) return call.result(Value(true));
  call.result(Value(has(key_layout(call), asked, key)));
}

void dispatch_named_set(Call& call) {
  const KeyLayout& layout = key_layout(call);
  const std::string name = call.arguments().text("name");
  const auto made = [&]() -> KeySet {
    if (name == "full") return full_set(layout);
    if (name == "full_after") return full_after(layout, key_argument(call, "key"));
    if (name == "after_autograd") return full_after(layout, Functionality::kAutogradOther);
    if (name == "after_functionalize") return after_functionalize(layout);
    if (name == "after_ADInplaceOrView") {
      return full_after(layout, Functionality::kADInplaceOrView);
    }
    throw NotSupported("no set of keys '" + name + "'");
  }();
  call.result(to_value(made));
}

void dispatch_device_key(Call& call) {
  const DispatchKey found = registration_key_of(key_layout(call), device_type_argument(call));
  call.result(Value(name_of(found)));
}

void dispatch_backend_key(Call& call) {
  call.result(Value(name_of(backend_key_of(key_layout(call), traits_argument(call)))));
}

void dispatch_tensor(Call& call) {
  auto impl = std::make_shared<TensorImpl>();
  impl->version = std::make_shared<VersionCounter>(0);
  impl->sizes = {1};
  impl->strides = {1};
  impl->numel = 1;
  if (call.has("keys")) {
    impl->key_set = set_argument(call, "keys").bits;
  } else {
    const TensorTraits traits = traits_argument(call);
    impl->dtype = traits.dtype;
    impl->device = probe_device(traits.device);
    impl->inference = traits.inference;
    impl->key_set = marked(call, key_set_of(key_layout(call), traits)).bits;
  }
  impl->storage = std::make_shared<Storage>(impl->device, 0, std::vector<std::uint8_t>{});
  // A tensor without data cannot be sent by value.
  if (call.command().as.empty()) return call.result(Value(Opaque{"tensor"}));
  call.result(Tensor(std::move(impl)));
}

void dispatch_tensor_keys(Call& call) {
  KeySet keys = keys_of_value(call, call.arguments().value("of"));
  call.result(to_value(keys));
}

// Key sets of the calling thread, and guards.

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
