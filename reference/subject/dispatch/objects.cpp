// Reads arguments of the area dispatch.
#include "reference/subject/dispatch/objects.hpp"

namespace assay::reference {

DispatchKey key_from(Call& call, const std::string& name) {
  const KeyLayout& layout = KeyLayout::of(call.contract().release);
  if (const auto found = layout.find(name)) return *found;
  throw InvalidArgument(call.command().verb + ": there is no key '" + name + "' in this release");
}

std::optional<DispatchKey> key_or_none(Call& call, std::string_view name) {
  if (!call.has(name)) return std::nullopt;
  return key_from(call, call.arguments().text(name));
}

KeySet set_argument(Call& call, std::string_view name) {
  const Value& value = call.arguments().value(name);
  if (const auto* bits = value.get_if<std::int64_t>()) {
    const KeySet given = {static_cast<std::uint64_t>(*bits)};
    const KeySet full = full_set(KeyLayout::of(call.contract().release));
    if (has_all(full, given)) return given;
    throw InvalidArgument("a set of keys has bits that stand for no key in this release");
  }
  KeySet keys;
  for (const Value& item : call.arguments().items(name)) {
    const auto* text = item.get_if<std::string>();
    if (text == nullptr) throw InvalidArgument("a set is an int or a list of keys");
    keys = keys | set_of(KeyLayout::of(call.contract().release), key_from(call, *text));
  }
  return keys;
}

std::string operator_name_argument(Call& call, std::string_view name) {
  if (call.arguments().value(name).is<Ref>()) {
    return call.held<NamedHandle>(name, "handle")->op.name();
  }
  return call.arguments().text(name);
}

OperatorHandle operator_argument(Call& call, std::string_view name) {
  if (call.arguments().value(name).is<Ref>()) {
    return call.held<NamedHandle>(name, "handle")->op;
  }
  Dispatcher& dispatcher = dispatcher_of(call);
  const OperatorName wanted = parse_name(call.arguments().text(name), call.contract());
  const auto found = dispatcher.find(wanted);
  return found ? *found : dispatcher.find_or_throw(wanted);
}

}  // namespace assay::reference
