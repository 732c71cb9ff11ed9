// Area memory: blocks, their content and their users, and pinned memory of the host.
#include <algorithm>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/memory/allocator.hpp"
#include "cuda_impl/memory/pinned.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/subject/memory/memory_commands.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"

namespace assay::cuda {
namespace {

/// Addresses from `give_block` that have not been freed.
struct BlockAddresses {
  std::mutex mutex;
  std::set<void*> addresses;
};

BlockAddresses& given() {
  static BlockAddresses all;
  return all;
}

StreamUse use_of(const Stream& stream) {
  const int device = stream.device.index == -1 ? current_device() : stream.device.index;
  return {device, handle_of(stream)};
}

/// The device is the stream's or the given one; the stream is the given or the current one.
StreamUse place_argument(Call& call) {
  if (const auto stream = stream_or_none(call)) {
    if (call.has("device")) static_cast<void>(call.device("device"));
    return use_of(*stream);
  }
  const auto device = call.device_or_none("device");
  require(!device || device->is_cuda(), ErrorKind::kValue,
          [&] { return "Expected a cuda device, but got: " + to_text(*device); });
  const Stream current = current_cuda_stream(device ? device->index : -1);
  return current_use(current.device.index);
}

/// The byte range of a command.
struct Range {
  std::byte* data;
  std::size_t count;
};

Range range_argument(Call& call, const NamedBlock& block, std::int64_t usual_count) {
  const std::int64_t offset = call.arguments().integer("offset", 0);
  const std::int64_t rest = block.size_bytes - offset;
  const std::int64_t count = call.arguments().integer("count", std::min(usual_count, rest));
  if (offset < 0 || count < 0 || count > rest) {
    throw InvalidArgument("'offset' and 'count' must stay inside the block");
  }
  return {block.data + offset, static_cast<std::size_t>(count)};
}

}  // namespace

void memory_allocate(Call& call) {
  const std::int64_t size = call.arguments().integer("size");
  if (size < 0) throw InvalidArgument("'size' must not be negative");
  const StreamUse place = place_argument(call);
  if (size == 0) return give_block(call, {.device = place.device});
  const auto block = memory::view(memory::allocate(static_cast<std::size_t>(size), place));
  give_block(call, {.data = block.data,
                    .device = place.device,
                    .size_bytes = static_cast<std::int64_t>(block.size_bytes),
                    .requested_bytes = static_cast<std::int64_t>(block.requested_bytes),
                    .segment = number_of(block.segment)});
}

void memory_block(Call& call) {
  const NamedBlock block = block_argument(call);
  const bool is_gone =
      block.data != nullptr && !block.is_pinned && memory::find(block.data) == nullptr;
  require(!is_gone, [] { return "memory.block: the block was freed"; });
  call.set("address", number_of(block.data));
  call.set("size", block.size_bytes);
  call.set("requested", block.requested_bytes);
  call.set("segment", block.segment);
  call.set("offset", number_of(block.data) - block.segment);
}

void memory_free(Call& call) { free_address(block_argument(call).data); }

void memory_free_address(Call& call) {
  const auto address = static_cast<std::uintptr_t>(call.arguments().integer("address"));
  free_address(reinterpret_cast<void*>(address));
}

void memory_record_stream(Call& call) {
  const NamedBlock named = block_argument(call);
  const StreamUse user = use_of(stream_argument(call));
  if (named.data == nullptr || named.is_pinned) return;
  memory::Block* const block = memory::find(named.data);
  require(block != nullptr, ErrorKind::kInternal,
          [] { return "No allocated block can be found at the address whose stream is recorded"; });
  memory::note_use(*block, user);
}

void memory_record_tensor_stream(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const StreamUse user = use_of(stream_argument(call));
  if (tensor.is_cuda() && tensor->storage != nullptr) tensor->storage->note_use(user);
}

void memory_read(Call& call) {
  constexpr std::int64_t kUsual = 16;
  const NamedBlock block = block_argument(call);
  const Range range = range_argument(call, block, kUsual);
  std::vector<unsigned char> bytes(range.count);
  const DeviceScope scope(block.device);
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaMemcpy(bytes.data(), range.data, range.count, cudaMemcpyDefault));
  std::string text;
  for (const unsigned byte : bytes) {
    text += "0123456789abcdef"[byte / 16];
    text += "0123456789abcdef"[byte % 16];
  }
  call.result(Value(text));
}

void memory_write(Call& call) {
  const NamedBlock block = block_argument(call);
  const Range range = range_argument(call, block, block.size_bytes);
  const int byte = int_argument(call, "byte", 0);
  const auto stream = stream_or_none(call);
  const DeviceScope scope(stream && stream->device.index != -1 ? stream->device.index
                                                               : block.device);
  cudaStream_t const handle = stream ? handle_of(*stream) : current_stream();
  cuda_check(cudaMemsetAsync(range.data, byte, range.count, handle));
}

std::int64_t number_of(const void* address) { return reinterpret_cast<std::intptr_t>(address); }

void give_block(Call& call, const NamedBlock& block) {
  if (block.data != nullptr) {
    const std::scoped_lock lock(given().mutex);
    given().addresses.insert(block.data);
  }
  call.result(Object(std::make_shared<NamedBlock>(block), "block"));
  call.set("null", block.data == nullptr);
}

NamedBlock block_argument(Call& call) { return *call.held<NamedBlock>("block", "block"); }

void free_address(void* address) {
  if (address == nullptr) return;
  if (memory::PinnedBlock* const pinned = memory::find_pinned(address)) {
    memory::unpin(*pinned);
  } else {
    memory::Block* const block = memory::find(address);
    require(block != nullptr, [&] {
      return "invalid device pointer: " + std::to_string(number_of(address)) +
             " is not the beginning of memory that is allocated";
    });
    memory::free(*block);
  }
  const std::scoped_lock lock(given().mutex);
  given().addresses.erase(address);
}

void free_named_blocks() {
  std::set<void*> left;
  {
    const std::scoped_lock lock(given().mutex);
    left.swap(given().addresses);
  }
  for (void* const address : left) {
    try {
      free_address(address);
    } catch (const Error&) {
      // The memory is lost together with its device.
    }
  }
}

// Pinned memory.

void memory_pin(Call& call) {
  const std::int64_t size = call.arguments().integer("size");
  if (size < 0) throw InvalidArgument("'size' must not be negative");
  const int device = current_device();
  if (size == 0) return give_block(call, {.is_pinned = true, .device = device});
  const memory::PinnedBlock& block = memory::pin(static_cast<std::size_t>(size));
  give_block(call, {.data = block.data,
                    .is_pinned = true,
                    .device = device,
                    .size_bytes = static_cast<std::int64_t>(block.size_bytes),
                    .requested_bytes = size,
                    .segment = number_of(block.data)});
}

void memory_pinned_record(Call& call) {
  const NamedBlock named = block_argument(call);
  const Stream stream = stream_argument(call);
  const int device = stream.device.index == -1 ? current_device() : stream.device.index;
  const bool is_foreign = call.arguments().boolean("foreign", false);
  memory::PinnedBlock* const block = is_foreign ? nullptr : memory::find_pinned(named.data);
  if (block != nullptr) memory::note_use(*block, {device, handle_of(stream)});
  call.result(Value(block != nullptr));
}

void memory_pin_memory(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  require(home().is_cuda(),
          rules().release == Release::k1_13 ? ErrorKind::kNotImplemented : ErrorKind::kError, [] {
            return "Cannot pin memory: pinned memory requires CUDA, and there is no such backend";
          });
  call.result(pinned(tensor));
}

void memory_empty_host_cache(Call&) { memory::empty_pinned_cache(); }

void memory_is_pinned(Call& call) { call.result(Value(is_pinned(call.tensor("tensor")))); }

}  // namespace assay::cuda
