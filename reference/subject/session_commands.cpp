// The words that every subject knows: hello, reset, and what is asked about named objects.
#include "reference/core/error.hpp"
#include "reference/memory/tensor_memory.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
namespace {

constexpr std::string_view kVersion = "0.1.0";

template <typename T>
void read_wish(Call& call, std::string_view name, std::optional<T> (*named)(std::string_view),
               T& wish) {
  if (!call.has(name)) return;
  const std::string text = call.arguments().text(name);
  const std::optional<T> found = named(text);
  if (!found) throw InvalidArgument("hello: there is no " + std::string(name) + " '" + text + "'");
  wish = *found;
}

Value devices_of(const Runtime& runtime) {
  assay::List list;
  for (int i = 0; i < runtime.cuda_devices(); ++i)
    list.items.emplace_back(assay::Device{"cuda", i});
  list.items.emplace_back(assay::Device{"cpu", -1});
  return list;
}

void hello(Call& call) {
  assay::Contract wish;
  read_wish(call, "release", assay::release_named, wish.release);
  read_wish(call, "device_rules", assay::device_rules_named, wish.device_rules);
  read_wish(call, "deviations", assay::deviations_named, wish.deviations);
  const Contract contract = to_reference(wish);
  if (!(contract == call.contract())) {
    call.runtime().reset();  // what areas keep is the old one's
    use_devices(call.runtime());
  }
  call.runtime().set_contract(contract);

  assay::List areas;
  for (std::string& area : command_table().areas()) areas.items.emplace_back(std::move(area));
  call.set("protocol", kProtocolVersion);
  call.set("name", "reference");
  call.set("version", kVersion);
  call.set("devices", devices_of(call.runtime()));
  call.set("areas", std::move(areas));
  call.set("threads", true);
  call.set("release", name_of(wish.release));
  call.set("device_rules", name_of(wish.device_rules));
  call.set("deviations", name_of(wish.deviations));
}

void reset(Call& call) {
  call.names().clear();  // events and guards need the runtime as it was
  call.runtime().reset();
  use_devices(call.runtime());
  call.set("uncleaned", assay::List{});
}

void drop(Call& call) { call.names().drop(call.arguments().ref("object")); }

void same(Call& call) {
  call.result(identity_of(call.object("a")) == identity_of(call.object("b")));
}

void alias(Call& call) { call.result(call.tensor("a").is_alias_of(call.tensor("b"))); }

void uses(Call& call) {
  const Object object = call.object("object");
  const auto names = static_cast<std::int64_t>(call.names().names_of(identity_of(object)));
  // One owner is this function itself. The undefined tensor has no owner at all (CORE-11).
  const std::int64_t owners = object.pointer.use_count() - names - 1;
  call.result(std::max<std::int64_t>(owners, 0));
}

struct WeakHandle {
  std::weak_ptr<void> target;
};

void weak(Call& call) {
  const Object object = call.object("object");
  auto handle = std::make_shared<WeakHandle>(WeakHandle{object.pointer});
  if (object.is<TensorImpl>()) object.as<TensorImpl>()->watchers.push_back(handle);
  call.result(Object::of(std::move(handle), "weak"));
}

void gone(Call& call) { call.result(call.held<WeakHandle>("weak", "weak")->target.expired()); }

void leave(Call& call) { call.held<Guard>("guard", "guard")->leave(); }

void value(Call& call) {
  const Value& given = call.arguments().value("value");
  if (const auto* ref = given.get_if<Ref>()) return call.result(call.names().get(ref->name));
  call.result(given);
}

void raise(Call& call) {
  const std::string kind = call.arguments().text("kind");
  const auto found = assay::error_kind_named(kind);
  if (!found) throw InvalidArgument("raise: there is no error kind '" + kind + "'");
  throw Error(static_cast<ErrorKind>(*found), call.arguments().text("message"));
}

}  // namespace

void add_session_commands(CommandTable& table) {
  table.add("hello", hello);
  table.add("reset", reset);
  table.add("drop", drop);
  table.add("same", same);
  table.add("alias", alias);
  table.add("uses", uses);
  table.add("weak", weak);
  table.add("gone", gone);
  table.add("leave", leave);
  table.add("value", value);
  table.add("raise", raise);
}

}  // namespace assay::reference
