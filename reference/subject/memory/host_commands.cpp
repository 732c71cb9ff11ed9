// Area memory: pinned host memory.
#include "reference/core/tensor/pinned.hpp"
#include "reference/memory/host_pool.hpp"
#include "reference/subject/memory/commands.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {

void memory_pin(Call& call) {
  const auto size = static_cast<std::uint64_t>(call.arguments().integer("size"));
  const Address address = host_pool_of(call.runtime()).allocate(size);
  call.result(Object(std::make_shared<HeldBlock>(HeldBlock{address, size, -1}), "block"));
  call.set("null", address == 0);
}

void memory_pinned_record(Call& call) {
  Address address = block_argument(call)->address;
  if (call.arguments().boolean("foreign", false)) address += HostPool::kForeign;
  call.result(Value(host_pool_of(call.runtime()).record(address, stream_argument(call))));
}

void memory_pin_memory(Call& call) { call.result(pinned(call.runtime(), call.tensor("tensor"))); }

void memory_empty_host_cache(Call& call) { host_pool_of(call.runtime()).empty_cache(); }

void memory_is_pinned(Call& call) { call.result(Value(is_pinned(call.tensor("tensor")))); }

}  // namespace assay::reference
