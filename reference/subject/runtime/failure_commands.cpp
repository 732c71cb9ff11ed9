// Area runtime: the error register and error codes.
#include "reference/runtime/driver_call.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

std::uint64_t argument_of(Call& call, const Value& value) {
  if (const auto* number = value.get_if<std::int64_t>()) return static_cast<std::uint64_t>(*number);
  const auto* ref = value.get_if<Ref>();
  const Object object = ref == nullptr ? Object{} : call.names().get(ref->name);
  if (object.is<Stream>()) return handle_of(call.runtime(), *object.as<Stream>());
  if (!object.is<AnyEvent>()) {
    throw InvalidArgument("arguments of the driver are ints, streams and events");
  }
  return std::visit([](const auto& event) { return event.id(); }, object.as<AnyEvent>()->event);
}

void judge(Call& call, Code code, const std::string& how) {
  if (how == "throw") return cuda_check(call.runtime(), code);
  if (how == "warn") return cuda_warn(call.runtime(), code);
  if (how == "ignore") return cuda_ignore(call.runtime(), code);
  if (how != "handled") throw InvalidArgument("how must not be '" + how + "'");
}

}  // namespace

void runtime_last_error(Call& call) {
  call.result(Value(number_of(driver_of(call.runtime()).get_last_error())));
}

void runtime_peek_last_error(Call& call) {
  call.result(Value(number_of(driver_of(call.runtime()).peek_last_error())));
}

void runtime_checked(Call& call) {
  std::vector<std::uint64_t> arguments;
  if (call.has("arguments")) {
    for (const Value& item : call.arguments().items("arguments")) {
      arguments.push_back(argument_of(call, item));
    }
  }
  const std::string how = call.arguments().text("how", "throw");
  const Code code = call_driver(call.runtime(), call.arguments().text("call"), arguments);
  judge(call, code, how);
  call.result(Value(number_of(code)));
}

}  // namespace assay::reference
