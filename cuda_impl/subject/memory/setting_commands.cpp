// Area memory: statistics and settings of the allocator.
#include <algorithm>
#include <utility>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/memory/allocator.hpp"
#include "cuda_impl/memory/captures.hpp"
#include "cuda_impl/memory/hooks.hpp"
#include "cuda_impl/memory/sizes.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/subject/memory/memory_commands.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"

namespace assay::cuda {
namespace {

/// The allocator rejects an invalid index.
int device_argument(Call& call) {
  if (call.is_none("device")) return current_device();
  const Device named = call.device_as_given("device");
  require(named.is_cuda(), ErrorKind::kValue,
          [&] { return to_text(named) + " has no memory of this allocator: not a cuda device"; });
  return named.index == -1 ? current_device() : named.index;
}

Value value_of(const memory::SegmentView::Part& part) {
  constexpr const char* kStates[] = {"free", "allocated", "pending"};
  Dict dict;
  dict.items.emplace_back("offset", static_cast<std::int64_t>(part.offset));
  dict.items.emplace_back("size", static_cast<std::int64_t>(part.size_bytes));
  dict.items.emplace_back("state", kStates[static_cast<int>(part.state)]);
  return dict;
}

Value value_of(const memory::SegmentView& segment, int device) {
  List blocks;
  for (const auto& part : segment.parts) blocks.items.push_back(value_of(part));
  Dict dict;
  dict.items.emplace_back("address", number_of(segment.data));
  dict.items.emplace_back("size", static_cast<std::int64_t>(segment.size_bytes));
  dict.items.emplace_back("stream", id_of_handle(device, segment.stream));
  dict.items.emplace_back("pool", segment.is_small ? "small" : "large");
  dict.items.emplace_back("blocks", std::move(blocks));
  return dict;
}

std::string function_argument(Call& call) {
  const auto* const function = call.arguments().value("function").get_if<Callable>();
  if (function == nullptr) throw InvalidArgument("'function' must be a callback");
  return function->name;
}

/// The client may release it before it drops the name.
struct NamedPool {
  std::shared_ptr<CapturePool> pool;
};

}  // namespace

void memory_empty_cache(Call&) { memory::empty_cache(); }

void memory_info(Call& call) {
  const memory::Info info = memory::info(device_argument(call));
  call.set("free", static_cast<std::int64_t>(info.free_bytes));
  call.set("total", static_cast<std::int64_t>(info.total_bytes));
}

void memory_set_fraction(Call& call) {
  const bool is_named = !call.is_none("device");
  const int device = device_argument(call);
  require(!is_named || call.device_as_given("device").index != -1, ErrorKind::kValue,
          [] { return "the device of a limit must have an index"; });
  const auto* const fraction = call.arguments().value("fraction").get_if<double>();
  require(fraction != nullptr, ErrorKind::kType,
          [] { return "Invalid type for fraction argument, must be `float`"; });
  memory::set_fraction(*fraction, device, is_named);
}

void memory_stats(Call& call) {
  const int device = device_argument(call);
  auto named = memory::by_name(memory::statistics(device), memory::settings().max_split_bytes,
                               call.release());
  std::ranges::sort(named);  // as PyTorch lists them
  Dict counters;
  for (const auto& [name, value] : named) counters.items.emplace_back(name, value);
  call.result(Value(counters));
}

void memory_reset_peak(Call& call) { memory::reset_peak(device_argument(call)); }
void memory_reset_accumulated(Call& call) { memory::reset_accumulated(device_argument(call)); }

void memory_segments(Call& call) {
  const int device = device_argument(call);
  List list;
  for (const auto& segment : memory::segments(device)) {
    list.items.push_back(value_of(segment, device));
  }
  call.result(Value(list));
}

void memory_configure(Call& call) {
  const std::string source = call.arguments().text("source", "call");
  const std::string options = call.arguments().text("options");
  if (source == "call") return memory::configure(options, memory::OptionSource::kCall);
  if (source == "alloc_conf") return memory::configure(options, memory::OptionSource::kAllocConf);
  if (source != "cuda_alloc_conf") throw InvalidArgument("there is no source '" + source + "'");
  memory::configure(options, memory::OptionSource::kCudaAllocConf);
}

void memory_uncached(Call& call) { memory::set_uncached(call.arguments().boolean("value")); }

void memory_backend(Call& call) {
  const std::string name = call.arguments().text("name");
  if (name != "native" && name != "async") throw InvalidArgument("no backend '" + name + "'");
  memory::choose_backend(name == "async");
}

void memory_observer(Call& call) {
  memory::add_observer([function = function_argument(call)](int device) {
    Call::current().call_back(function, {Value(device)});
  });
}

void memory_free_callback(Call& call) {
  memory::add_free_callback([function = function_argument(call)] {
    const Value said = Call::current().call_back(function, {});
    const bool* const has_freed = said.get_if<bool>();
    return has_freed != nullptr && *has_freed;
  });
}

void memory_size_text(Call& call) {
  const std::int64_t bytes = call.arguments().integer("bytes");
  call.result(Value(memory::size_text(static_cast<std::size_t>(bytes))));
}

void memory_round(Call& call) {
  const auto size = static_cast<std::size_t>(call.arguments().integer("size"));
  const std::size_t block = memory::rounded(size, memory::settings());
  call.result(Value(static_cast<std::int64_t>(block)));
}

void memory_capture_pool(Call& call) {
  const Stream stream = stream_argument(call);
  const int device = stream.device.index == -1 ? current_device() : stream.device.index;
  auto made = std::make_shared<NamedPool>(NamedPool{make_capture_pool()});
  memory::bind_capture_pool({device, handle_of(stream)}, made->pool);
  call.result(Object(std::move(made), "pool"));
}

void memory_release_pool(Call& call) { call.held<NamedPool>("pool", "pool")->pool.reset(); }

}  // namespace assay::cuda
