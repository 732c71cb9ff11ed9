// Area memory: pinned memory of the host.
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/rules.hpp"
#include "cuda_impl/memory/pinned.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/copy/transfer.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/subject/memory/memory_commands.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"

namespace assay::cuda {

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
