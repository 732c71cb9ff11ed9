// The common commands: hello, reset, and inspection of named objects.
#include "harness/subject/common_commands.hpp"
#include "reference/core/types/error.hpp"
#include "reference/memory/tensor_memory.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
namespace {

constexpr std::string_view kVersion = "0.2.0";

assay::List devices_of(const Runtime& runtime) {
  assay::List list;
  for (int i = 0; i < runtime.cuda_devices(); ++i)
    list.items.emplace_back(assay::Device{"cuda", i});
  list.items.emplace_back(assay::Device{"cpu", -1});
  return list;
}

void hello(Call& call) {
  const assay::Contract wish = requested_contract(call);
  const Contract contract = to_reference(wish);
  if (!(contract == call.contract())) {
    call.names().clear();  // its objects need the runtime of the old contract
    call.runtime().reset();
    use_devices(call.runtime());
  }
  call.runtime().set_contract(contract);
  introduce(call,
            {"reference", kVersion, devices_of(call.runtime()), command_table().areas(), wish});
}

void reset(Call& call) {
  call.names().clear();  // events and guards need the runtime before the reset
  call.runtime().reset();
  use_devices(call.runtime());
  call.set("uncleaned", assay::List{});
}

void drop(Call& call) { call.names().drop(call.arguments().ref("object")); }

void uses(Call& call) {
  const Object object = call.object("object");
  const auto names = static_cast<std::int64_t>(call.names().names_of(identity_of(object)));
  // This function itself is one owner. The undefined tensor has none (CORE-11).
  const std::int64_t owners = object.held().use_count() - names - 1;
  call.result(std::max<std::int64_t>(owners, 0));
}

struct WeakHandle {
  std::weak_ptr<void> target;
};

void weak(Call& call) {
  const Object object = call.object("object");
  auto handle = std::make_shared<WeakHandle>(WeakHandle{object.held()});
  const bool is_defined = object.held() != nullptr;  // the undefined tensor cannot be watched
  if (is_defined && object.is<TensorImpl>()) object.as<TensorImpl>()->watchers.push_back(handle);
  call.result(Object(std::move(handle), "weak"));
}

void gone(Call& call) { call.result(call.held<WeakHandle>("weak", "weak")->target.expired()); }

}  // namespace

void add_session_commands(CommandTable& table) {
  table.add("hello", hello);
  table.add("reset", reset);
  table.add("drop", drop);
  table.add("uses", uses);
  table.add("weak", weak);
  table.add("gone", gone);
  add_object_commands(table);
}

}  // namespace assay::reference
