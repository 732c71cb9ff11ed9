// What every subject is asked: hello, reset, and questions about named objects.
#include <cuda_runtime_api.h>

#include <algorithm>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/subject/command_table.hpp"

/// Only the simulated runtime has it.
extern "C" [[gnu::weak]] void assay_cudart_machine(int devices, int least, int greatest,
                                                   std::int64_t memory_bytes);

namespace assay::cuda {
namespace {

constexpr std::string_view kVersion = "0.1.0";

template <typename T>
T wished(Call& call, std::string_view what, std::optional<T> (*named)(std::string_view),
         T fallback) {
  if (!call.has(what)) return fallback;
  const std::string text = call.arguments().text(what);
  const std::optional<T> found = named(text);
  if (!found) throw InvalidArgument("hello: there is no " + std::string(what) + " '" + text + "'");
  return *found;
}

Value devices() {
  List list;
  for (int i = 0; i < Session::cuda_devices(); ++i) {
    list.items.emplace_back(assay::Device{"cuda", i});
  }
  list.items.emplace_back(assay::Device{"cpu", -1});
  return list;
}

Value areas() {
  List list;
  for (std::string& area : command_table().areas()) list.items.emplace_back(std::move(area));
  return list;
}

void hello(Call& call) {
  const auto release = wished(call, "release", assay::release_named, assay::Release::k2_11);
  const auto deviations =
      wished(call, "deviations", assay::deviations_named, assay::Deviations::kStrict);
  wished(call, "device_rules", assay::device_rules_named,
         assay::DeviceRules::kCuda);  // granted or not
  const Contract contract{from_waist(release), deviations == assay::Deviations::kStrict};
  if (!(contract == call.contract())) call.session().reset();
  call.session().set_contract(contract);

  call.set("protocol", kProtocolVersion);
  call.set("name", assay_cudart_machine == nullptr ? "cuda" : "cuda_on_cpu");
  call.set("version", kVersion);
  call.set("devices", devices());
  call.set("areas", areas());
  call.set("threads", true);
  call.set("release", name_of(release));
  call.set("device_rules", name_of(assay::DeviceRules::kCuda));
  call.set("deviations", name_of(deviations));
}

/// A kernel that fails takes the context of its device with it, and nothing brings that back.
bool is_lost() {
  if (Session::cuda_devices() == 0) return false;
  const bool is_lost = cudaDeviceSynchronize() != cudaSuccess;
  static_cast<void>(cudaGetLastError());
  return is_lost;
}

void reset(Call& call) {
  { const auto dropped = call.names().clear(); }
  call.session().reset();
  if (Session::cuda_devices() > 0) static_cast<void>(cudaSetDevice(0));
  call.set("uncleaned", is_lost() ? areas() : Value(List{}));
}

void drop(Call& call) { call.names().drop(call.arguments().ref("object")); }

void same(Call& call) {
  call.result(Value(call.object("a").identity() == call.object("b").identity()));
}

void alias(Call& call) { call.result(Value(call.tensor("a").is_alias_of(call.tensor("b")))); }

void uses(Call& call) {
  const Object object = call.object("object");
  const auto names = static_cast<std::int64_t>(call.names().names_of(object.identity()));
  const std::int64_t this_function = 1;
  call.result(Value(std::max<std::int64_t>(object.owners() - names - this_function, 0)));
}

struct WeakHandle {
  std::weak_ptr<void> object;
};

void weak(Call& call) {
  auto handle = std::make_shared<WeakHandle>(WeakHandle{call.object("object").weak()});
  call.result(Object(std::move(handle), "weak"));
}

void gone(Call& call) {
  call.result(Value(call.held<WeakHandle>("weak", "weak")->object.expired()));
}

void leave(Call& call) { call.held<Guard>("guard", "guard")->leave(); }

void value(Call& call) {
  const Value& given = call.arguments().value("value");
  if (given.is<Ref>()) return call.result(call.object("value"));
  call.result(given);
}

void raise(Call& call) {
  const std::string kind = call.arguments().text("kind");
  const auto found = error_kind_named(kind);
  if (!found) throw InvalidArgument("raise: there is no error kind '" + kind + "'");
  throw Error(from_waist(*found), call.arguments().text("message"));
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

}  // namespace assay::cuda
