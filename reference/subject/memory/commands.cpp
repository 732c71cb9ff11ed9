// Area memory: device blocks and their content.
#include "reference/subject/memory/commands.hpp"

#include "reference/memory/driver_calls.hpp"
#include "reference/memory/host_pool.hpp"
#include "reference/memory/tensor_memory.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {

int device_index_argument(Call& call) {
  const auto device = call.device_or_none("device");
  check(!device || device->is_cuda(), ErrorKind::kValue,
        [&] { return "Expected a cuda device, but got: " + to_text(*device); });
  if (device && device->index >= 0) return device->index;
  cuda_make_current(call.runtime());
  return cuda_current_device(call.runtime());
}

std::shared_ptr<HeldBlock> block_argument(Call& call) {
  return call.held<HeldBlock>("block", "memory block");
}

namespace {

Value number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

struct Range {
  Address address;
  std::uint64_t count;
};

Range range_argument(Call& call, const HeldBlock& block, std::int64_t count) {
  const std::int64_t offset = call.arguments().integer("offset", 0);
  count = call.arguments().integer("count", count);
  if (offset < 0 || count < 0) throw InvalidArgument("'offset' and 'count' must not be negative");
  return {block.address + static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(count)};
}

}  // namespace

void memory_allocate(Call& call) {
  const auto size = static_cast<std::uint64_t>(call.arguments().integer("size"));
  // The stream determines the device; a stream of another device is not an option.
  int device = 0;
  Stream stream;
  if (call.has("stream")) {
    stream = stream_argument(call);
    const bool is_named = stream.device.index >= 0 && !call.has("device");
    device = is_named ? stream.device.index : device_index_argument(call);
  } else {
    device = device_index_argument(call);
    stream = current_stream(call.runtime(), device);
  }
  const Address address = allocator_of(call.runtime()).malloc(device, size, stream);
  call.result(Object(std::make_shared<HeldBlock>(HeldBlock{address, size, device}), "block"));
  call.set("null", address == 0);
}

void memory_block(Call& call) {
  const auto block = block_argument(call);
  BlockFacts facts;
  if (block->is_pinned()) {
    facts = host_pool_of(call.runtime()).facts_of(block->address);
  } else if (block->address != 0) {
    const auto found = allocator_of(call.runtime()).facts_of(block->address);
    check(found.has_value(), [] { return "the block is not allocated"; });
    facts = *found;
  }
  call.set("address", number(facts.address));
  call.set("size", number(facts.size));
  call.set("requested", number(facts.requested));
  call.set("segment", number(facts.segment));
  call.set("offset", number(facts.address - facts.segment));
}

void memory_free(Call& call) {
  const auto block = block_argument(call);
  if (block->is_pinned()) return host_pool_of(call.runtime()).free(block->address);
  allocator_of(call.runtime()).free(block->address);
}

void memory_free_address(Call& call) {
  allocator_of(call.runtime()).free(static_cast<Address>(call.arguments().integer("address")));
}

void memory_record_stream(Call& call) {
  allocator_of(call.runtime()).record_stream(block_argument(call)->address, stream_argument(call));
}

void memory_record_tensor_stream(Call& call) {
  record_tensor(call.tensor("tensor"), stream_argument(call));
}

void memory_read(Call& call) {
  const auto block = block_argument(call);
  const Range range = range_argument(call, *block, 16);
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;  // the reply has two digits a byte
  if (range.count > kMostBytes) throw NotSupported("memory.read: more than a mebibyte");
  if (!block->is_pinned()) cuda_synchronize_device(call.runtime(), block->device);
  std::string text;
  for (const std::uint8_t byte :
       allocator_of(call.runtime()).bytes().read(range.address, range.count)) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  }
  call.set("result", text);
}

void memory_write(Call& call) {
  Runtime& runtime = call.runtime();
  const auto block = block_argument(call);
  const Range range = range_argument(call, *block, static_cast<std::int64_t>(block->size_bytes));
  const auto byte = static_cast<std::uint8_t>(call.arguments().integer("byte"));
  const auto bytes = allocator_of(runtime).shared_bytes();
  if (block->is_pinned()) return bytes->fill(range.address, range.count, byte);
  const Stream stream =
      call.has("stream") ? stream_argument(call) : current_stream(runtime, block->device);
  const ScopedDevice scope(runtime, stream.device.index);
  driver_of(runtime).launch(handle_of(runtime, stream),
                            {.name = "fill_bytes", .run = [bytes, range, byte] {
                               bytes->fill(range.address, range.count, byte);
                             }});
  launch_check(runtime);
}

}  // namespace assay::reference
