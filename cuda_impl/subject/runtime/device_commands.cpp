// Area runtime: devices, the current device, backends of other device types, the last error, and
// the handling of error codes.
#include <cuda_runtime_api.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/kernels/probe.hpp"
#include "cuda_impl/runtime/backends/backend_pretended.hpp"
#include "cuda_impl/runtime/backends/backends.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/process.hpp"
#include "cuda_impl/runtime/python.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"

namespace assay::cuda {
namespace {

void give_device(Call& call, Device device) {
  call.result(Value(to_waist(device, call.release())));
}

GuardBackend& backend_for(Device device) { return backend_of(device.kind); }

int cuda_count() { return home().is_cuda() ? Session::cuda_devices() : 0; }

}  // namespace

void runtime_device_count(Call& call) {
  const bool is_other = call.has("type") && call.arguments().text("type") != "cuda";
  const bool must_be_some = call.arguments().boolean("ensure", false);
  const int count =
      is_other ? backend_of(kind_argument(call, "type")).device_count() : cuda_count();
  require(count > 0 || !must_be_some, [] { return why_no_device(); });  // GRD-028
  call.result(Value(count));
}

void runtime_get_device(Call& call) {
  give_device(call, backend_of(kind_argument(call, "type")).get_device());
}

void runtime_exchange_device(Call& call) {
  const Device device = call.device_as_given("device");
  give_device(call, backend_for(device).exchange_device(device));
}

void runtime_set_device(Call& call) {
  const Device device = call.device_as_given("device");
  GuardBackend& backend = backend_for(device);
  if (call.arguments().boolean("unchecked", false)) {
    backend.unchecked_set_device(device);
  } else {
    backend.set_device(device);
  }
}

void runtime_synchronize_device(Call& call) {
  const Device device = device_or_cuda(call);
  backend_for(device).synchronize_device(device.index);
}

void runtime_can_access_peer(Call& call) {
  const Device device = call.device_as_given("device");
  call.result(Value(python_can_access_peer(device, call.device_as_given("peer"))));
}

void runtime_sync_debug_mode(Call& call) {
  const std::string mode = call.arguments().text("mode");
  if (mode == "default") return set_sync_debug_mode(SyncDebugMode::kDefault);
  if (mode == "warn") return set_sync_debug_mode(SyncDebugMode::kWarn);
  if (mode == "error") return set_sync_debug_mode(SyncDebugMode::kError);
  throw InvalidArgument("runtime.sync_debug_mode: there is no mode '" + mode + "'");
}

// Backends of other device types.

namespace {

std::unique_ptr<GuardBackend> made(Call& call, DeviceKind type, int devices) {
  const std::string kind = call.arguments().text("kind", "logging");
  if (kind == "logging") return std::make_unique<LoggingBackend>(type, devices);
  if (kind == "fake") return std::make_unique<FakeBackend>(type, devices);
  if (kind == "bare") return std::make_unique<BareBackend>(type, devices);
  throw InvalidArgument("runtime.backend: there is no kind '" + kind + "'");
}

}  // namespace

void runtime_backend(Call& call) {
  constexpr int kDevices = 8;
  const DeviceKind type = kind_argument(call, "type");
  register_backend(made(call, type, int_argument(call, "devices", kDevices)));
}

void runtime_has_backend(Call& call) {
  call.result(Value(has_backend(kind_argument(call, "type"))));
}

// The last error, and the handling of error codes.

namespace {

/// Arguments as numbers, with handles as numbers; missing ones are 0.
class Numbers {
 public:
  explicit Numbers(std::vector<std::int64_t> given) : given_(std::move(given)) {}

  std::int64_t at(std::size_t place) const { return place < given_.size() ? given_[place] : 0; }
  cudaStream_t stream(std::size_t place) const { return pointer<cudaStream_t>(place); }
  cudaEvent_t event(std::size_t place) const { return pointer<cudaEvent_t>(place); }
  void* address(std::size_t place) const { return pointer<void*>(place); }

 private:
  template <typename Pointer>
  Pointer pointer(std::size_t place) const {
    return reinterpret_cast<Pointer>(static_cast<std::uintptr_t>(at(place)));
  }

  std::vector<std::int64_t> given_;
};

cudaError_t create_and_destroy_stream() {
  cudaStream_t stream = nullptr;
  const cudaError_t result = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  return result == cudaSuccess ? cudaStreamDestroy(stream) : result;
}

cudaError_t create_and_destroy_event(unsigned flags) {
  cudaEvent_t event = nullptr;
  const cudaError_t result = cudaEventCreateWithFlags(&event, flags);
  return result == cudaSuccess ? cudaEventDestroy(event) : result;
}

cudaError_t allocate_and_free(std::int64_t size_bytes) {
  void* memory = nullptr;
  const auto size = static_cast<std::size_t>(size_bytes == 0 ? 1 : size_bytes);
  const cudaError_t result = cudaMalloc(&memory, size);
  return result == cudaSuccess ? cudaFree(memory) : result;
}

using DriverCall = cudaError_t (*)(const Numbers&);

/// The calls of FLT-018. What they create is destroyed at once; other results are discarded.
const std::map<std::string, DriverCall>& driver_calls() {
  static const std::map<std::string, DriverCall> calls{
      {"device_count",
       [](const Numbers&) {
         int count = 0;
         return cudaGetDeviceCount(&count);
       }},
      {"get_device",
       [](const Numbers&) {
         int device = 0;
         return cudaGetDevice(&device);
       }},
      {"set_device", [](const Numbers& n) { return cudaSetDevice(static_cast<int>(n.at(0))); }},
      {"stream_create", [](const Numbers&) { return create_and_destroy_stream(); }},
      {"priority_range",
       [](const Numbers&) {
         int least = 0;
         int greatest = 0;
         return cudaDeviceGetStreamPriorityRange(&least, &greatest);
       }},
      {"stream_priority",
       [](const Numbers& n) {
         int priority = 0;
         return cudaStreamGetPriority(n.stream(0), &priority);
       }},
      {"stream_query", [](const Numbers& n) { return cudaStreamQuery(n.stream(0)); }},
      {"stream_sync", [](const Numbers& n) { return cudaStreamSynchronize(n.stream(0)); }},
      {"stream_wait",
       [](const Numbers& n) { return cudaStreamWaitEvent(n.stream(0), n.event(1), 0); }},
      {"event_create",
       [](const Numbers& n) { return create_and_destroy_event(static_cast<unsigned>(n.at(0))); }},
      {"event_record", [](const Numbers& n) { return cudaEventRecord(n.event(0), n.stream(1)); }},
      {"event_query", [](const Numbers& n) { return cudaEventQuery(n.event(0)); }},
      {"event_sync", [](const Numbers& n) { return cudaEventSynchronize(n.event(0)); }},
      {"event_elapsed",
       [](const Numbers& n) {
         float milliseconds = 0;
         return cudaEventElapsedTime(&milliseconds, n.event(0), n.event(1));
       }},
      {"event_destroy", [](const Numbers& n) { return cudaEventDestroy(n.event(0)); }},
      {"malloc", [](const Numbers& n) { return allocate_and_free(n.at(0)); }},
      {"free", [](const Numbers& n) { return cudaFree(n.address(0)); }},
      {"mem_info",
       [](const Numbers&) {
         std::size_t free = 0;
         std::size_t total = 0;
         return cudaMemGetInfo(&free, &total);
       }},
      {"launch", [](const Numbers& n) { return launch_nothing(n.stream(0)); }},
      {"memcpy_async",
       [](const Numbers& n) {
         char source = 0;
         char target = 0;
         return cudaMemcpyAsync(&target, &source, 1, cudaMemcpyHostToHost, n.stream(0));
       }},
      {"device_sync", [](const Numbers&) { return cudaDeviceSynchronize(); }},
      {"capture_status",
       [](const Numbers& n) {
         cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
         return cudaStreamIsCapturing(n.stream(0), &status);
       }},
  };
  return calls;
}

std::int64_t number_of(Call& call, const Value& value) {
  if (const auto* const number = value.get_if<std::int64_t>()) return *number;
  const auto* const ref = value.get_if<Ref>();
  const Object object = ref == nullptr ? Object() : call.names().get(ref->name);
  if (const auto stream = object.as<Stream>()) {
    return reinterpret_cast<std::intptr_t>(handle_of(*stream));
  }
  const auto event = object.as<AnyEvent>();
  if (event == nullptr) throw InvalidArgument("the driver takes ints, streams and events");
  return std::visit([](const auto& asked) { return reinterpret_cast<std::intptr_t>(asked.id()); },
                    *event);
}

Numbers numbers_argument(Call& call) {
  std::vector<std::int64_t> given;
  if (!call.has("arguments")) return Numbers(given);
  for (const Value& item : call.arguments().items("arguments")) {
    given.push_back(number_of(call, item));
  }
  return Numbers(given);
}

/// FLT-004, FLT-008
void judge(cudaError_t result, const std::string& how) {
  if (how == "throw") {
    cuda_check(result);
  } else if (how == "warn") {
    cuda_warn(result);
  } else if (how == "ignore") {
    if (result != cudaSuccess) static_cast<void>(cudaGetLastError());
  } else if (how != "handled") {
    throw InvalidArgument("runtime.checked: there is no way '" + how + "'");
  }
}

}  // namespace

void runtime_last_error(Call& call) { call.result(Value(std::int64_t{cudaGetLastError()})); }
void runtime_peek_last_error(Call& call) {
  call.result(Value(std::int64_t{cudaPeekAtLastError()}));
}

void runtime_checked(Call& call) {
  const std::string name = call.arguments().text("call");
  const auto found = driver_calls().find(name);
  if (found == driver_calls().end()) throw NotSupported("runtime.checked: no call '" + name + "'");
  const std::string how = call.arguments().text("how", "throw");
  const cudaError_t result = found->second(numbers_argument(call));
  judge(result, how);
  call.result(Value(std::int64_t{result}));
}

}  // namespace assay::cuda
