// Driver calls that submit work: launches, copies, gates.
#include <utility>

#include "reference/runtime/device/driver_state.hpp"

namespace assay::reference {
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
