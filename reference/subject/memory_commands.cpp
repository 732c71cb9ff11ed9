// Area memory: device blocks and their content, pinned host memory, statistics, limits, options,
// private pools and observers.
#include "reference/core/tensor/storage_memory.hpp"
#include "reference/memory/block.hpp"
#include "reference/memory/caching_allocator.hpp"
#include "reference/memory/driver_calls.hpp"
#include "reference/memory/host_pool.hpp"
#include "reference/memory/tensor_memory.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/subject/call.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {

/// A client's block with its original request. Does not free the memory.
struct HeldBlock {
  Address address = 0;
  std::uint64_t size_bytes = 0;
  int device = 0;  ///< -1 for pinned memory
  bool is_pinned() const { return device < 0; }
};

/// The index in the argument `device`; by default, of the current device.
int device_index_argument(Call& call);
std::shared_ptr<HeldBlock> block_argument(Call& call);

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

// Pinned host memory.

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

// Statistics, limits, options, private pools and observers.

namespace {

CachingAllocator& allocator(Call& call) { return allocator_of(call.runtime()); }

Value to_value(const SegmentView& segment) {
  List blocks;
  for (const BlockView& block : segment.blocks) {
    Dict entry;
    entry.items.emplace_back("offset", number(block.offset));
    entry.items.emplace_back("size", number(block.size));
    entry.items.emplace_back("state", block.state);
    blocks.items.emplace_back(std::move(entry));
  }
  Dict entry;
  entry.items.emplace_back("address", number(segment.address));
  entry.items.emplace_back("size", number(segment.size));
  entry.items.emplace_back("stream", segment.stream.id);
  entry.items.emplace_back("pool", segment.is_small ? "small" : "large");
  entry.items.emplace_back("blocks", std::move(blocks));
  return entry;
}

std::string function_argument(Call& call) {
  const auto* callable = call.arguments().value("function").get_if<Callable>();
  if (callable == nullptr) throw InvalidArgument(call.command().verb + ": not a callable");
  return callable->name;
}

/// Owned by the allocator; the client's name only refers to it.
struct HeldPool {
  int device = 0;
  std::shared_ptr<PrivatePool> pool;
};

}  // namespace

void memory_empty_cache(Call& call) { allocator(call).empty_cache(); }

void memory_info(Call& call) {
  const auto info = allocator(call).info_of(device_index_argument(call));
  call.set("free", static_cast<std::int64_t>(info.free_bytes));
  call.set("total", static_cast<std::int64_t>(info.total_bytes));
}

/// In Python, only a float is accepted as a fraction (MEM-012).
void memory_set_fraction(Call& call) {
  const Value& fraction = call.arguments().value("fraction");
  const auto named = call.device_or_none("device");
  const int device = device_index_argument(call);
  check(!named || named->index >= 0, ErrorKind::kValue, [&] {
    return "Expected a torch.device with a specified index or an integer, but got:" +
           to_text(*named);
  });
  const auto* real = fraction.get_if<double>();
  check(real != nullptr, ErrorKind::kType,
        [&] { return "a memory fraction must be a float, not " + std::string(kind_of(fraction)); });
  allocator(call).set_fraction(device, *real);
}

void memory_stats(Call& call) {
  Dict counters;
  const DeviceStats now = allocator(call).stats(device_index_argument(call));
  for (auto& [name, value] : entries_of(now, call.contract().release)) {
    counters.items.emplace_back(name, value);
  }
  call.set("result", std::move(counters));
}

void memory_reset_peak(Call& call) { allocator(call).reset_peak(device_index_argument(call)); }

void memory_reset_accumulated(Call& call) {
  allocator(call).of_device(device_index_argument(call)).reset_accumulated();
}

void memory_segments(Call& call) {
  List all;
  const int device = device_index_argument(call);
  for (const SegmentView& segment : allocator(call).of_device(device).segments()) {
    all.items.push_back(to_value(segment));
  }
  call.set("result", std::move(all));
}

void memory_configure(Call& call) {
  const std::string options = call.arguments().text("options");
  const std::string source = call.arguments().text("source", "call");
  AllocatorEnvironment& environment = allocator(call).environment();
  if (source == "alloc_conf") {
    environment.alloc_conf = options;
  } else if (source == "cuda_alloc_conf") {
    environment.cuda_alloc_conf = options;
  } else if (source == "call") {
    allocator(call).configure(options);
  } else {
    throw InvalidArgument("memory.configure: there is no source '" + source + "'");
  }
}

void memory_uncached(Call& call) {
  allocator(call).environment().is_uncached = call.arguments().boolean("value");
}

void memory_backend(Call& call) {
  const std::string name = call.arguments().text("name");
  if (name != "native" && name != "async") {
    throw InvalidArgument("memory.backend: there is no backend '" + name + "'");
  }
  if (name == "async" && call.contract().before(Release::k2_4)) {
    throw NotSupported("no backend async in 1.13");
  }
  allocator(call).environment().backend =
      name == "async" ? AllocatorBackend::kAsync : AllocatorBackend::kNative;
}

void memory_observer(Call& call) {
  allocator(call).add_observer([name = function_argument(call)](int device) {
    Call::current().call_back(name, {static_cast<std::int64_t>(device)});
  });
}

void memory_free_callback(Call& call) {
  allocator(call).add_free_callback([name = function_argument(call)] {
    const Value answer = Call::current().call_back(name, {});
    const bool* has_freed = answer.get_if<bool>();
    return has_freed != nullptr && *has_freed;
  });
}

void memory_size_text(Call& call) {
  call.result(Value(size_text(static_cast<std::uint64_t>(call.arguments().integer("bytes")))));
}

void memory_round(Call& call) {
  const auto size = static_cast<std::uint64_t>(call.arguments().integer("size"));
  call.result(number(rounded_size(size, allocator(call).config())));
}

void memory_capture_pool(Call& call) {
  const StreamTag stream = allocator(call).tag_of(stream_argument(call));
  auto held = std::make_shared<HeldPool>();
  held->device = stream.device;
  held->pool = allocator(call).of_device(stream.device).capture_pool(stream);
  call.result(Object(std::move(held), "memory pool"));
}

void memory_release_pool(Call& call) {
  const auto held = call.held<HeldPool>("pool", "memory pool");
  allocator(call).of_device(held->device).release_pool(*held->pool);
}

}  // namespace assay::reference
