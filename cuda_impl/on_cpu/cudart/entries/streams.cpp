// Runtime calls for streams.
#include <cuda_runtime_api.h>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/capture.hpp"
#include "cuda_impl/on_cpu/cudart/events.hpp"

using namespace assay::cuda::on_cpu;

namespace {

int create(cudaStream_t* stream, unsigned flags, int priority) {
  const auto kind = flags == cudaStreamNonBlocking ? LineKind::kNonBlocking : LineKind::kBlocking;
  *stream = handle_of(Machine::get().add_line(thread_state().device, kind, priority));
  return 0;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  const std::string shown_flags = flags == cudaStreamNonBlocking ? "non_blocking" : "blocking";
  return call("stream_create", shown_flags + ", " + std::to_string(priority), true,
              [&](auto&) { return create(stream, flags, priority); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call("stream_destroy", shown(stream), true, [&](auto&) {
    const LinePtr line = line_of(stream);
    if (line == nullptr || line->kind == LineKind::kLegacy) return 400;
    Machine::get().remove_line(line);
    return 0;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call("stream_priority", shown(stream), false, [&](auto&) {
    const LinePtr line = line_of(stream);
    if (line == nullptr) return 400;
    *priority = line->priority;
    return 0;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call("stream_query", shown(stream), true, [&](auto&) {
    const LinePtr line = line_of(stream);
    if (line == nullptr) return 400;
    if (const int code = refused_while_capturing(line); code != 0) return code;
    const bool is_idle = line->is_idle();
    if (is_idle) learn(line->newest);
    Machine::get().after_call(true);
    return is_idle ? Machine::get().lost(line->device) : 600;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call("stream_sync", shown(stream), true, [&](auto& lock) {
    const LinePtr line = line_of(stream);
    if (line == nullptr) return 400;
    if (const int code = refused_while_capturing(line); code != 0) return code;
    if (!Machine::get().wait(lock, {end_of(line)})) return 702;
    return Machine::get().lost(line->device);
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call("stream_wait", shown(stream) + ", " + shown(event), true, [&](auto&) {
    const LinePtr line = line_of(stream);
    Event* waited = Events::get().find(event);
    if (line == nullptr || waited == nullptr) return 400;
    if (flags == cudaEventWaitExternal) {  // a node of the graph (EVT-030)
      return capture_of(line) == nullptr ? 1 : add_node(line, {.awaited = handle_of(*waited)});
    }
    if (waited->capture != nullptr) return join_capture(line, *waited);
    if (capture_of(line) != nullptr) return waited->is_recorded ? wait_outside(line) : 0;
    return submit_or_capture(line, wait_for(*waited), "wait");
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned) {
  return call("callback", shown(stream), true, [&](auto&) {
    const LinePtr line = line_of(stream);
    if (line == nullptr) return 400;
    Operation run;
    run.run = [=] {
      const ProgramAccessScope seen;
      callback(stream, cudaSuccess, data);
    };
    return submit_or_capture(line, std::move(run), "callback");
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return call("host_function", shown(stream), true, [&](auto&) {
    const LinePtr line = line_of(stream);
    if (line == nullptr) return 400;
    Operation run;
    run.run = [=] {
      const ProgramAccessScope seen;
      function(data);
    };
    return submit_or_capture(line, std::move(run), "host_function");
  });
}

}  // extern "C"
