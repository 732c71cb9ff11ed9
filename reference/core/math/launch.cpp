// Forwards device work to the installed queue, or runs it at once.
#include "reference/core/math/launch.hpp"

#include "reference/core/types/device_hooks.hpp"

namespace assay::reference {

LaunchQueue* queue_for(Runtime& runtime, Device device) {
  return device.is_cuda() ? device_hooks(runtime).queue.get() : nullptr;
}

void launch(Runtime& runtime, Device device, std::string name, std::function<void()> work) {
  LaunchQueue* queue = queue_for(runtime, device);
  if (queue == nullptr) return work();
  queue->launch(device, std::move(name), std::move(work));
}

void launch_copy(Runtime& runtime, Device device, bool is_pageable, std::function<void()> work) {
  LaunchQueue* queue = queue_for(runtime, device);
  if (queue == nullptr) return work();
  queue->copy(device, is_pageable, std::move(work));
}

void join_streams(Runtime& runtime, Device waiting, Device awaited) {
  LaunchQueue* queue = queue_for(runtime, waiting);
  if (queue == nullptr) return;
  queue->hold_back(queue->current(waiting), *queue->mark(queue->current(awaited)));
}

bool can_access_peer(Runtime& runtime, Device device, Device peer) {
  LaunchQueue* queue = queue_for(runtime, device);
  return queue == nullptr || queue->can_access_peer(device, peer);
}

void wait_for_stream(Runtime& runtime, Device device) {
  if (LaunchQueue* queue = queue_for(runtime, device)) queue->wait(device);
}

namespace {

/// Returns the same view on another storage.
Tensor moved_to(std::shared_ptr<Storage> storage, const TensorImpl& from) {
  auto impl = std::make_shared<TensorImpl>();
  impl->storage = std::move(storage);
  impl->version = from.version;
  impl->dtype = from.dtype;
  impl->device = from.device;
  impl->sizes = from.sizes;
  impl->strides = from.strides;
  impl->offset = from.offset;
  impl->numel = from.numel;
  impl->contiguous = from.contiguous;
  impl->dense = from.dense;
  return Tensor(std::move(impl));
}

}  // namespace

Tensor borrowed(const Tensor& tensor) {
  if (!tensor.defined() || tensor.is_sparse()) return tensor;
  const TensorImpl& from = *tensor.impl();
  return memory_of(from.storage) == nullptr ? tensor : moved_to(bytes_of(from.storage), from);
}

Tensor staged(const Tensor& tensor) {
  const TensorImpl& from = *tensor.impl();
  return moved_to(std::make_shared<Storage>(*from.storage), from);
}

std::vector<Tensor> borrowed(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> all;
  for (const Tensor& tensor : tensors) all.push_back(borrowed(tensor));
  return all;
}

}  // namespace assay::reference
