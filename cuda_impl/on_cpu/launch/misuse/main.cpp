// A program that goes wrong as it is told to, to see that each mistake is noticed: `assay_misuse
// WHAT`.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda_impl/on_cpu/launch/misuse/kernels.hpp"

namespace {

using namespace assay::cuda::on_cpu::misuse;

constexpr int kCount = 8;

int* device_memory() {
  void* memory = nullptr;
  if (cudaMalloc(&memory, kCount * sizeof(int)) != cudaSuccess) std::exit(3);
  cudaMemset(memory, 0, kCount * sizeof(int));
  cudaDeviceSynchronize();
  return static_cast<int*>(memory);
}

cudaStream_t stream() {
  cudaStream_t made = nullptr;
  if (cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking) != cudaSuccess) std::exit(3);
  return made;
}

/// A kernel on one stream writes what a kernel on another reads and writes.
void two_streams() {
  int* const memory = device_memory();
  const cudaStream_t first = stream();
  const cudaStream_t second = stream();
  cudaEvent_t done = nullptr;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  twice(memory, kCount, first);
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done, 0);
  twice(memory, kCount, second);
  cudaDeviceSynchronize();
  cudaFree(memory);
}

/// The host writes to pinned memory before it knows that it was copied.
void staging(bool waits) {
  int* const memory = device_memory();
  void* pinned = nullptr;
  cudaMallocHost(&pinned, sizeof(int));
  int* const staged = static_cast<int*>(pinned);
  *staged = 1;
  const cudaStream_t copies = stream();
  cudaMemcpyAsync(memory, staged, sizeof(int), cudaMemcpyHostToDevice, copies);
  if (waits) cudaStreamSynchronize(copies);
  *staged = 2;
  cudaDeviceSynchronize();
  cudaFreeHost(pinned);
  cudaFree(memory);
}

void write_behind(long index) {
  int* const memory = device_memory();
  write_at(memory, index, nullptr);
  cudaDeviceSynchronize();
  cudaFree(memory);
}

void read_on_host() {
  int* const memory = device_memory();
  std::printf("%d\n", *static_cast<volatile int*>(memory));
}

void leave_alive() {
  device_memory();
  stream();
}

}  // namespace

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  const auto is = [&](const char* name) { return std::strcmp(what, name) == 0; };
  if (is("event")) two_streams();
  if (is("early_reuse")) staging(false);
  if (is("late_reuse")) staging(true);
  if (is("write_behind")) write_behind(kCount);
  if (is("write_far_behind")) write_behind(1 << 20);
  if (is("read_on_host")) read_on_host();
  if (is("leave_alive")) leave_alive();
  std::printf("done\n");
}
