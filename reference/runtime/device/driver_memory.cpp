// Driver calls for memory.
#include "reference/runtime/device/driver_state.hpp"

namespace assay::reference {

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

}  // namespace assay::reference
