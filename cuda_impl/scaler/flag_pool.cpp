// Takes flags from the pool, or allocates them with their words.
#include "cuda_impl/scaler/flag_pool.hpp"

#include <algorithm>
#include <utility>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/graph.hpp"

namespace assay::cuda {
namespace {

/// The legacy default stream cannot be captured, so it need not be asked.
bool is_captured(cudaStream_t stream) { return stream != nullptr && is_capturing(); }

/// Returns whether the flag is unchanged, and `flag` is the only reference to it.
bool is_unseen(const Tensor& flag) {
  const TensorBody& body = *flag.body();
  return flag.body().use_count() == 1 && body.storage.use_count() == 1 &&
         body.version.use_count() == 1 && !body.requires_grad && !body.grad && !body.history &&
         !body.hooks && !body.is_parameter;
}

/// A float, followed in the same storage by the word and space for the scale.
CountedFlag made_on(cudaStream_t stream, const Shape& sizes, bool captured) {
  constexpr std::int64_t kWords = 3;
  const Tensor words = empty({kWords}, Dtype::kFloat32, cuda_device(current_device()));
  CountedFlag made{as_strided(words, sizes, Shape(sizes.size(), 1), 0)};
  made.flag->is_view = false;
  made.ticket.scale = words.data_as<float>() + 2;
  if (const auto graph = captured ? memory_of_capture() : nullptr) {
    made.ticket.word = graph->word();
    return made;
  }
  cuda_check(cudaMemsetAsync(words.data(), 0, words.size_bytes(), stream));
  // The default stream of each thread has the same handle; a captured launch runs at any time.
  const bool is_reusable = stream != cudaStreamPerThread && !captured;
  made.ticket.word = words.data_as<std::uint32_t>() + 1;
  made.ticket.is_reusable = is_reusable;
  made.ticket.stream = stream;
  return made;
}

}  // namespace

CountedFlag FlagPool::take(const Shape& sizes) {
  const Device device = cuda_device(current_device());
  const cudaStream_t stream = current_stream();
  const bool captured = is_captured(stream);
  // Default streams of all devices have the same handle.
  const auto found = std::ranges::find_if(flags_, [&](const CountedFlag& flag) {
    return flag.ticket.stream == stream && flag.flag->device == device && flag.flag->sizes == sizes;
  });
  if (found == flags_.end() || captured) return made_on(stream, sizes, captured);
  CountedFlag taken = std::move(*found);
  flags_.erase(found);
  return taken;
}

void FlagPool::give_back(CountedFlag flag) {
  const cudaStream_t stream = current_stream();
  if (!flag.ticket.is_reusable || flag.ticket.stream != stream || is_captured(stream)) return;
  if (!is_unseen(flag.flag)) return;
  flag.flag->version->store(0, std::memory_order_relaxed);
  flags_.push_back(std::move(flag));
}

}  // namespace assay::cuda
