// Runtime calls for events.
#include "cuda_impl/on_cpu/cudart/events.hpp"

#include <cuda_runtime_api.h>

#include <cstring>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/capture.hpp"

namespace assay::cuda::on_cpu {

Events& Events::get() {
  static Events* const events = new Events();
  return *events;
}

Event& Events::add(int device, unsigned flags) {
  const auto made = std::make_shared<Event>();
  events_[++numbers_] = made;
  Event& event = *made;
  event.number = numbers_;
  event.device = device;
  event.flags = flags;
  return event;
}

std::uint64_t Events::add_handle_of(cudaEvent_t known) {
  const auto event = events_.at(reinterpret_cast<std::uintptr_t>(known));
  events_[++numbers_] = event;
  return numbers_;
}

Event* Events::find(cudaEvent_t handle) {
  const auto found = events_.find(reinterpret_cast<std::uintptr_t>(handle));
  return found == events_.end() ? nullptr : found->second.get();
}

bool Events::remove(cudaEvent_t handle) {
  return events_.erase(reinterpret_cast<std::uintptr_t>(handle)) == 1;
}

cudaEvent_t handle_of(const Event& event) {
  return reinterpret_cast<cudaEvent_t>(static_cast<std::uintptr_t>(event.number));
}

std::string shown(cudaEvent_t event) {
  return "e" + std::to_string(reinterpret_cast<std::uintptr_t>(event));
}

void mark(Event& event, const LinePtr& line) {
  event.capture = nullptr;
  event.is_recorded = true;
  event.time = std::make_shared<std::int64_t>(0);
  Operation mark;
  mark.takes_ns = 0;
  mark.sync = new_operation_sync();
  mark.run = [time = event.time] { *time = Machine::get().now_ns(); };
  // Set the version before the devices proceed, since they may reach it at once.
  event.at = {line, line->submitted + 1, mark.sync};
  Machine::get().submit(line, std::move(mark));
}

Operation wait_for(const Event& event) {
  Operation wait;
  if (event.is_recorded) wait.after.push_back(event.at);
  return wait;
}

namespace {

/// Records as a graph node, which leaves the event unchanged until the graph is launched.
int record_as_node(const Event& event, const LinePtr& line) {
  if (event.device != line->device) return 400;
  return capture_of(line) == nullptr ? 1 : add_node(line, {.recorded = handle_of(event)});
}

int record(Event& event, const LinePtr& line) {
  if (event.device != line->device) return 400;
  if (const auto graph = capture_of(line)) {
    event.capture = graph;
    event.is_recorded = true;
    const int code = add_edge(line);
    if (code == 0) remember(line, event);
    return code;
  }
  mark(event, line);
  return 0;
}

int query(const Event& event) {
  if (const int code = refused_while_capturing(event); code != 0) return code;
  const bool is_ready = !event.is_recorded || is_reached(event.at);
  if (is_ready) learn(event.at.sync);
  Machine::get().after_call(true);
  return is_ready ? Machine::get().lost(event.device) : 600;
}

int elapsed(float& milliseconds, const Event& from, const Event& to) {
  for (const Event* event : {&from, &to}) {
    if (const int code = verdict_on_captured(*event); code != 0) return code;
  }
  const bool has_times = ((from.flags | to.flags) & cudaEventDisableTiming) == 0;
  if (!has_times || !from.is_recorded || !to.is_recorded) return 400;
  if (from.device != to.device) return 400;
  if (!is_reached(from.at) || !is_reached(to.at)) return 600;
  milliseconds = static_cast<float>(static_cast<double>(*to.time - *from.time) / 1e6);
  return 0;
}

}  // namespace
}  // namespace assay::cuda::on_cpu

using namespace assay::cuda::on_cpu;

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call("event_create", std::to_string(flags), true, [&](auto&) {
    constexpr unsigned kKnown =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if ((flags & ~kKnown) != 0) return 1;
    const bool is_shared = (flags & cudaEventInterprocess) != 0;
    if (is_shared && (flags & cudaEventDisableTiming) == 0) return 1;
    *event = handle_of(Events::get().add(thread_state().device, flags));
    return 0;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call("event_record", shown(event) + ", " + shown(stream), true, [&](auto&) {
    Event* recorded = Events::get().find(event);
    const LinePtr line = line_of(stream);
    return recorded == nullptr || line == nullptr ? 400 : record(*recorded, line);
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags != cudaEventRecordExternal) return cudaEventRecord(event, stream);
  return call("event_record", shown(event) + ", " + shown(stream), true, [&](auto&) {
    const Event* recorded = Events::get().find(event);
    const LinePtr line = line_of(stream);
    return recorded == nullptr || line == nullptr ? 400 : record_as_node(*recorded, line);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call("event_query", shown(event), true, [&](auto&) {
    const Event* asked = Events::get().find(event);
    return asked == nullptr ? 400 : query(*asked);
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call("event_sync", shown(event), true, [&](auto& lock) {
    const Event* waited = Events::get().find(event);
    if (waited == nullptr) return 400;
    if (const int code = refused_while_capturing(*waited); code != 0) return code;
    const int device = waited->device;
    if (waited->is_recorded && !Machine::get().wait(lock, {waited->at})) return 702;
    return Machine::get().lost(device);
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return call("event_elapsed", shown(from) + ", " + shown(to), true, [&](auto&) {
    const Event* first = Events::get().find(from);
    const Event* second = Events::get().find(to);
    return first == nullptr || second == nullptr ? 400 : elapsed(*milliseconds, *first, *second);
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call("event_destroy", shown(event), true,
              [&](auto&) { return Events::get().remove(event) ? 0 : 400; });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return call("ipc_get", shown(event), true, [&](auto&) {
    const Event* exported = Events::get().find(event);
    const unsigned needed = cudaEventInterprocess | cudaEventDisableTiming;
    if (exported == nullptr || (exported->flags & needed) != needed) return 400;
    std::memset(handle, 0, sizeof *handle);
    std::memcpy(handle, &exported->number, sizeof exported->number);
    return 0;
  });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return call("ipc_open", "", true, [&](auto&) {
    std::uint64_t number = 0;
    std::memcpy(&number, &handle, sizeof number);
    auto exported = reinterpret_cast<cudaEvent_t>(static_cast<std::uintptr_t>(number));
    if (Events::get().find(exported) == nullptr) return 400;
    const std::uint64_t opened = Events::get().add_handle_of(exported);
    *event = reinterpret_cast<cudaEvent_t>(static_cast<std::uintptr_t>(opened));
    return 0;
  });
}

}  // extern "C"
