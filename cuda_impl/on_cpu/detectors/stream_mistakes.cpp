// Planted errors: missing synchronization between streams, or between a stream and the host.
#include <array>

#include "cuda_impl/on_cpu/cudart/controls.h"
#include "cuda_impl/on_cpu/detectors/device.hpp"
#include "cuda_impl/on_cpu/detectors/stream_kernels.hpp"

namespace assay::cuda::on_cpu::detectors {
namespace {

/// Orders later work of the second stream after the earlier work of the first.
void order(const Stream& first, const Stream& second) {
  const Event done;
  must(cudaEventRecord(done, first));
  must(cudaStreamWaitEvent(second, done, 0));
}

Result forgets_event(bool is_made) {
  const Ints value(1);
  const Stream first;
  const Stream second;
  one_more(value.data(), first);
  if (!is_made) order(first, second);
  twice(value.data(), second);
  return value.read();
}

Result records_event_too_early(bool is_made) {
  const Ints value(1);
  const Stream first;
  const Stream second;
  const Event done;
  if (is_made) must(cudaEventRecord(done, first));
  one_more(value.data(), first);
  if (!is_made) must(cudaEventRecord(done, first));
  must(cudaStreamWaitEvent(second, done, 0));
  twice(value.data(), second);
  return value.read();
}

/// The kernel begins in the call that opens the gate, which waits for nothing.
Result takes_open_gate_for_wait(bool is_made) {
  const Ints value(1);
  const Stream first;
  const Stream second;
  void* const gate = assay_cudart_gate(first, 10'000);
  one_more(value.data(), first);
  assay_cudart_open(gate);
  assay_cudart_forget_gate(gate);
  if (!is_made) order(first, second);
  twice(value.data(), second);
  return value.read();
}

/// The second stream copies the result of a kernel on the first.
Result copies_too_early(bool is_made) {
  const Ints value(1);
  const Ints copy(1);
  const Stream first;
  const Stream second;
  one_more(value.data(), first);
  if (!is_made) order(first, second);
  must(cudaMemcpyAsync(copy.data(), value.data(), sizeof(int), cudaMemcpyDeviceToDevice, second));
  return copy.read();
}

/// The default stream orders all streams except non-blocking ones.
Result trusts_default_stream(bool is_made) {
  const Ints value(1);
  const Stream first(is_made ? cudaStreamNonBlocking : cudaStreamDefault);
  one_more(value.data(), first);
  twice(value.data(), nullptr);
  one_more(value.data(), first);
  return value.read();
}

Result reuses_staging_too_early(bool is_made) {
  const Ints value(1);
  const PinnedInt staged;
  const Stream copies;
  *staged.data() = 1;
  must(cudaMemcpyAsync(value.data(), staged.data(), sizeof(int), cudaMemcpyHostToDevice, copies));
  if (!is_made) must(cudaStreamSynchronize(copies));
  *staged.data() = 2;
  return value.read();
}

/// A copy to the host whose result is read after `wait` on the event that follows it.
template <typename Wait>
Result reads_copy_after(const Wait& wait) {
  const Ints value(1);
  const PinnedInt copy;
  const Stream stream;
  const Event copied;
  *copy.data() = 7;
  one_more(value.data(), stream);
  must(cudaMemcpyAsync(copy.data(), value.data(), sizeof(int), cudaMemcpyDeviceToHost, stream));
  must(cudaEventRecord(copied, stream));
  wait(copied);
  const auto seen = static_cast<unsigned>(*copy.data());
  must(cudaStreamSynchronize(stream));
  return {seen};
}

Result reads_copy_too_early(bool is_made) {
  return reads_copy_after([is_made](const Event& copied) {
    if (!is_made) must(cudaEventSynchronize(copied));
  });
}

/// Waits by polling an event.
Result does_not_ask_long_enough(bool is_made) {
  return reads_copy_after([is_made](const Event& copied) {
    while (!is_made && cudaEventQuery(copied) == cudaErrorNotReady) {
    }
  });
}

void add_one_on_host(void* number) { ++*static_cast<unsigned*>(number); }

Result reads_before_host_function(bool is_made) {
  static unsigned number = 0;
  const Stream stream;
  must(cudaLaunchHostFunc(stream, add_one_on_host, &number));
  if (!is_made) must(cudaStreamSynchronize(stream));
  const unsigned seen = *static_cast<volatile unsigned*>(&number);
  must(cudaStreamSynchronize(stream));
  return {seen};
}

Result frees_on_stream_too_early(bool is_made) {
  void* memory = nullptr;
  const Stream first;
  const Stream second;
  must(cudaMallocAsync(&memory, sizeof(int), first));
  int* const value = static_cast<int*>(memory);
  one_more(value, first);
  if (!is_made) order(first, second);
  must(cudaFreeAsync(memory, second));
  cudaDeviceSynchronize();
  return {};
}

constexpr std::array kMistakes = {
    Mistake{"forgets_event", forgets_event},
    Mistake{"records_event_too_early", records_event_too_early},
    Mistake{"takes_open_gate_for_wait", takes_open_gate_for_wait},
    Mistake{"copies_too_early", copies_too_early},
    Mistake{"trusts_default_stream", trusts_default_stream},
    Mistake{"reuses_staging_too_early", reuses_staging_too_early},
    Mistake{"reads_copy_too_early", reads_copy_too_early},
    Mistake{"does_not_ask_long_enough", does_not_ask_long_enough},
    Mistake{"reads_before_host_function", reads_before_host_function},
    Mistake{"frees_on_stream_too_early", frees_on_stream_too_early},
};

}  // namespace

std::span<const Mistake> stream_mistakes() { return kMistakes; }

}  // namespace assay::cuda::on_cpu::detectors
