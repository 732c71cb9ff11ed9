// The key lists of the PyTorch version of this build.
#include "harness/adapters/libtorch/keys.hpp"

#include <map>

namespace assay::libtorch {
namespace {

using c10::BackendComponent;
using c10::DispatchKey;

std::map<std::string, DispatchKey> all_by_name() {
  std::map<std::string, DispatchKey> names{
      {"CatchAll", DispatchKey::CatchAll},
      {"DefaultBackend", DispatchKey::CompositeExplicitAutograd},
      {"Autocast", DispatchKey::AutocastCUDA}};
  for (const auto& keys : {functionality_keys(), keys_with_slots(), alias_keys()}) {
    for (const DispatchKey key : keys) names.emplace(name_of(key), key);
  }
  return names;
}

}  // namespace

std::vector<DispatchKey> functionality_keys() {
  std::vector<DispatchKey> keys;
  for (std::uint16_t number = 0; number < c10::num_functionality_keys; ++number) {
    keys.push_back(static_cast<DispatchKey>(number));
  }
  return keys;
}

std::vector<DispatchKey> per_backend_keys() {
  std::vector<DispatchKey> keys;
  for (const DispatchKey key : functionality_keys()) {
    if (c10::isPerBackendFunctionalityKey(key)) keys.push_back(key);
  }
  return keys;
}

std::vector<DispatchKey> alias_keys() {
  std::vector<DispatchKey> keys;
  const auto last = static_cast<std::uint16_t>(DispatchKey::EndOfAliasKeys);
  for (auto number = static_cast<std::uint16_t>(DispatchKey::StartOfAliasKeys); number <= last;
       ++number) {
    keys.push_back(static_cast<DispatchKey>(number));
  }
  return keys;
}

std::vector<BackendComponent> backends() {
  std::vector<BackendComponent> found;
  for (std::uint8_t number = 1; number <= c10::num_backends; ++number) {
    found.push_back(static_cast<BackendComponent>(number));
  }
  return found;
}

std::vector<DispatchKey> keys_with_slots() {
  std::vector<DispatchKey> keys;
  for (const DispatchKey key : functionality_keys()) {
    if (!c10::isPerBackendFunctionalityKey(key)) {
      keys.push_back(key);
      continue;
    }
    for (const BackendComponent backend : backends()) {
      keys.push_back(c10::toRuntimePerBackendFunctionalityKey(key, backend));
    }
  }
  return keys;
}

std::string name_of(BackendComponent backend) {
  const std::string text = c10::toString(backend);
  return text.ends_with("Bit") ? text.substr(0, text.size() - 3) : text;
}

std::string name_of(DispatchKey key) { return c10::toString(key); }

DispatchKey key_named(const std::string& name) {
  static const std::map<std::string, DispatchKey> names = all_by_name();
  const auto found = names.find(name);
  if (found != names.end()) return found->second;
  throw NotSupported("this PyTorch has no dispatch key " + name);
}

std::optional<DispatchKey> key_or_none(Call& call, std::string_view name) {
  if (!call.has(name)) return std::nullopt;
  return key_named(call.arguments().text(name));
}

std::optional<DispatchKey> place_or_none(Call& call, std::string_view name) {
  const auto key = key_or_none(call, name);
  return key == DispatchKey::Undefined ? std::nullopt : key;
}

c10::DispatchKeySet set_of_bits(std::uint64_t bits) { return {c10::DispatchKeySet::RAW, bits}; }

c10::DispatchKeySet set_argument(Call& call, std::string_view name) {
  const Value& value = call.arguments().value(name);
  if (const auto* bits = value.get_if<std::int64_t>()) {
    return set_of_bits(static_cast<std::uint64_t>(*bits));
  }
  c10::DispatchKeySet keys;
  for (const Value& item : call.arguments().items(name)) {
    const auto* text = item.get_if<std::string>();
    if (text == nullptr) throw InvalidArgument("a set is an int or a list of keys");
    keys = keys | c10::DispatchKeySet(key_named(*text));
  }
  return keys;
}

}  // namespace assay::libtorch
