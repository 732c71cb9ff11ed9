// Area memory: statistics, limits, options, private pools and observers.
#include "reference/memory/sizes.hpp"
#include "reference/subject/memory/commands.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

CachingAllocator& allocator(Call& call) { return allocator_of(call.runtime()); }

Value number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

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
