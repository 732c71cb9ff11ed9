// Driver calls for memory and for the work that is done on it: launches, copies, gates. Blocks by
// address, with poisoning.
#include <algorithm>
#include <iterator>
#include <utility>

#include "reference/runtime/device/driver_state.hpp"

namespace assay::reference {
namespace {

/// The address ranges of devices are disjoint.
Address first_address(int device) { return static_cast<Address>(device + 2) << 44; }

constexpr std::uint64_t kAlignment = std::uint64_t{2} << 20;

}  // namespace

Address DeviceMemory::allocate(int device, std::uint64_t size_bytes) {
  Address& next = next_.try_emplace(device, first_address(device)).first->second;
  const Address address = next;
  next += (size_bytes / kAlignment + 1) * kAlignment;
  blocks_.emplace(address, Block{device, size_bytes});
  return address;
}

bool DeviceMemory::free(int device, Address address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.device != device) return false;
  std::vector<std::byte> bytes = std::move(found->second.bytes);
  std::fill(bytes.begin(), bytes.end(), kPoison);
  if (!bytes.empty()) freed_.push_back(std::move(bytes));
  blocks_.erase(found);
  return true;
}

std::optional<int> DeviceMemory::device_of(Address address) const {
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) return std::nullopt;
  return found->second.device;
}

std::byte* DeviceMemory::data(Address address) {
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return nullptr;
  auto& [begin, block] = *std::prev(found);
  const std::uint64_t offset = address - begin;
  if (offset >= block.size_bytes) return nullptr;
  if (block.bytes.empty()) block.bytes.assign(block.size_bytes, kPoison);
  return block.bytes.data() + offset;
}

std::uint64_t DeviceMemory::used_bytes(int device) const {
  std::uint64_t bytes = 0;
  for (const auto& [address, block] : blocks_) {
    if (block.device == device) bytes += block.size_bytes;
  }
  return bytes;
}

int DeviceMemory::blocks(bool of_host) const {
  return static_cast<int>(std::count_if(blocks_.begin(), blocks_.end(), [&](const auto& entry) {
    return (entry.second.device == kHost) == of_host;
  }));
}

// Driver calls for memory.

Code Driver::mem_info(std::uint64_t& free_bytes, std::uint64_t& total_bytes) {
  return state_->answer({"mem_info"}, [&](State::Lock&) {
    total_bytes = state_->shape.memory_bytes;
    free_bytes = total_bytes - state_->memory.used_bytes(state_->current_device());
  });
}

Code Driver::malloc(Address& address, std::uint64_t size_bytes) {
  return state_->answer({"malloc", std::to_string(size_bytes)}, [&](State::Lock&) {
    state_->refuse_unsafe();
    address = state_->allocate(size_bytes);
  });
}

Code Driver::free(Address address) {
  return state_->answer({"free", address_text(address)}, [&](State::Lock& lock) {
    if (address == 0) return;
    state_->refuse_unsafe();
    const std::optional<int> device = state_->memory.device_of(address);
    if (!device || *device == DeviceMemory::kHost) throw State::Refusal{Code::kInvalidValue};
    state_->touch(*device);
    state_->wait_for(lock, state_->machine.work_of_device(*device));
    state_->memory.free(*device, address);
  });
}

Code Driver::host_alloc(Address& address, std::uint64_t size_bytes) {
  return state_->answer({"host_alloc", std::to_string(size_bytes)}, [&](State::Lock&) {
    state_->refuse_unsafe();
    address = size_bytes == 0 ? 0 : state_->memory.allocate(DeviceMemory::kHost, size_bytes);
  });
}

Code Driver::host_free(Address address) {
  return state_->answer({"host_free", address_text(address)}, [&](State::Lock&) {
    if (address == 0) return;
    if (!state_->memory.free(DeviceMemory::kHost, address)) {
      throw State::Refusal{Code::kInvalidValue};
    }
  });
}

std::byte* Driver::data(Address address) {
  const std::scoped_lock lock(state_->mutex);
  return state_->memory.data(address);
}

Code Driver::malloc_async(Address& address, std::uint64_t size_bytes, StreamHandle stream) {
  const std::string arguments = std::to_string(size_bytes) + ", " + stream_text(stream);
  return state_->answer({"malloc_async", arguments}, [&](State::Lock&) {
    State::Stream& into = state_->usable_stream(stream);
    const Address made = state_->allocate(size_bytes);
    Work work;
    work.name = "malloc_async";
    state_->submit(into, {.work = std::move(work)});
    address = made;
  });
}

Code Driver::free_async(Address address, StreamHandle stream) {
  const std::string arguments = address_text(address) + ", " + stream_text(stream);
  return state_->answer({"free_async", arguments}, [&](State::Lock&) {
    State::Stream& into = state_->usable_stream(stream);
    const std::optional<int> device = state_->memory.device_of(address);
    if (!device || *device == DeviceMemory::kHost) throw State::Refusal{Code::kInvalidValue};
    Work work;
    work.name = "free_async";
    work.run = [state = state_.get(), device = *device, address] {
      const std::scoped_lock lock(state->mutex);
      state->memory.free(device, address);
    };
    state_->submit(into, {.work = std::move(work)});
  });
}

Address Driver::State::allocate(std::uint64_t size_bytes) {
  if (size_bytes == 0) return 0;
  const int device = current_device();
  if (size_bytes > shape.memory_bytes - memory.used_bytes(device)) {
    throw Refusal{Code::kOutOfMemory};
  }
  return memory.allocate(device, size_bytes);
}

// Driver calls that submit work: launches, copies, gates.

namespace {

constexpr std::int64_t kThreadsOfBlock = 1024;
constexpr std::int64_t kSharedBytes = std::int64_t{48} << 10;
constexpr std::int64_t kRegistersOfThread = 255;
constexpr std::int64_t kRegistersOfBlock = std::int64_t{64} << 10;

bool are_within(const std::int64_t (&counts)[3], const std::int64_t (&limits)[3]) {
  for (int i = 0; i < 3; ++i) {
    if (counts[i] < 1 || counts[i] > limits[i]) return false;
  }
  return true;
}

/// FLT-019.
Code verdict_on(const LaunchShape& shape) {
  constexpr std::int64_t kGrid[3] = {(std::int64_t{1} << 31) - 1, 65535, 65535};
  constexpr std::int64_t kBlock[3] = {1024, 1024, 64};
  const std::int64_t threads = shape.block[0] * shape.block[1] * shape.block[2];
  if (!are_within(shape.grid, kGrid) || !are_within(shape.block, kBlock) ||
      threads > kThreadsOfBlock) {
    return Code::kInvalidValue;  // before CUDA 13: kInvalidConfiguration
  }
  if (shape.shared_bytes > kSharedBytes) return Code::kInvalidValue;
  if (shape.registers > kRegistersOfThread || shape.registers * threads > kRegistersOfBlock) {
    return Code::kLaunchOutOfResources;
  }
  return Code::kSuccess;
}

}  // namespace

Code Driver::launch(StreamHandle stream, Work work, const LaunchShape& shape) {
  const State::Call call{"launch", stream_text(stream) + ", " + work.name};
  return state_->answer(call, [&](State::Lock& lock) {
    const Code verdict = verdict_on(shape);
    if (verdict != Code::kSuccess) throw State::Refusal{verdict};
    State::Stream& into = state_->usable_stream(stream);
    if (into.device != state_->current_device()) throw State::Refusal{Code::kInvalidHandle};
    state_->launch(lock, into, {.work = std::move(work)});
  });
}

Code Driver::memcpy_async(StreamHandle stream, Work work) {
  const State::Call call{"memcpy_async", stream_text(stream) + ", " + work.name};
  return state_->answer(call, [&](State::Lock&) {
    state_->submit(state_->usable_stream(stream), {.work = std::move(work)});
  });
}

Code Driver::gate(StreamHandle stream, GateHandle& gate, std::int64_t timeout_ms) {
  return state_->answer({"launch", stream_text(stream) + ", gate"}, [&](State::Lock& lock) {
    State::Stream& into = state_->usable_stream(stream);
    const GateHandle handle = state_->next_gate++;
    state_->gates[handle].timeout = std::chrono::milliseconds(timeout_ms);
    Work work;
    work.name = "gate";
    work.virtual_ns = 0;
    state_->launch(lock, into, {.work = std::move(work)}, handle);
    gate = handle;
  });
}

void Driver::open(GateHandle gate) {
  state_->control([&](State::Lock& lock) {
    if (!state_->gates.contains(gate)) return;
    state_->open_gate(gate, GateState::kOpen);
    state_->go_on(lock);
  });
}

GateState Driver::gate_state(GateHandle gate) const {
  const std::scoped_lock lock(state_->mutex);
  const auto found = state_->gates.find(gate);
  return found == state_->gates.end() ? GateState::kExpired : found->second.state;
}

}  // namespace assay::reference
