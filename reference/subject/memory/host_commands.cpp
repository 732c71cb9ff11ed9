// Area memory: pinned host memory.
#include "reference/core/tensor/pinned.hpp"
#include "reference/memory/host_pool.hpp"
#include "reference/subject/memory/commands.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

void pin(Call& call) {
  const auto size = static_cast<std::uint64_t>(call.arguments().integer("size"));
  const Address address = host_pool_of(call.runtime()).allocate(size);
  call.result(Object::of(std::make_shared<HeldBlock>(HeldBlock{address, size, -1}), "block"));
  call.set("null", address == 0);
}

void pinned_record(Call& call) {
  Address address = block_argument(call)->address;
  if (call.arguments().boolean("foreign", false)) address += HostPool::kForeign;
  call.result(Value(host_pool_of(call.runtime()).record(address, stream_argument(call))));
}

void pin_tensor(Call& call) { call.result(pinned(call.runtime(), call.tensor("tensor"))); }

void is_tensor_pinned(Call& call) { call.result(Value(is_pinned(call.tensor("tensor")))); }

}  // namespace

void add_memory_host_commands(CommandTable& table) {
  table.add("memory.pin", pin);
  table.add("memory.pinned_record", pinned_record);
  table.add("memory.pin_memory", pin_tensor);
  table.add("memory.is_pinned", is_tensor_pinned);
}

}  // namespace assay::reference
