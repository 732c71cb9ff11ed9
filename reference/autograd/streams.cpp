// Producers and consumers of gradients on streams.
#include "reference/autograd/streams.hpp"

#include <algorithm>

#include "reference/autograd/steps.hpp"
#include "reference/core/tensor/storage_memory.hpp"
#include "reference/core/types/device_hooks.hpp"

namespace assay::reference {

void BackwardStreams::add(Arrived& arrived, const Tensor& grad,
                          const std::optional<Stream>& producer,
                          const std::optional<Stream>& consumer) {
  LaunchQueue* queue = queue_for(runtime_, grad.device());
  if (queue == nullptr) {
    arrived.sum = arrived.sum.defined() ? sum_of(runtime_, arrived.sum, grad) : grad;
    return;
  }
  const Stream here = queue->current(grad.device());
  const Stream from = producer.value_or(here);
  const Stream to = consumer.value_or(here);
  if (!arrived.place) {
    begin(arrived, grad, from, to);
  } else {
    go_on(arrived, grad, from, to);
  }
  const bool waits_at_once = !runtime_.contract().at_least(Release::k2_11);
  if (waits_at_once && arrived.ready != nullptr && arrived.last != to) {
    this->queue(to).hold_back(to, *arrived.ready);
  }
}

/// Places the sum in the stream that needs it, if possible.
void BackwardStreams::begin(Arrived& arrived, const Tensor& grad, const Stream& from,
                            const Stream& to) const {
  const Device device = grad.device();
  const Stream here = queue(from).current(device);
  arrived.sum = grad;
  arrived.place = to.device == device ? to : from.device == device ? from : here;
  arrived.last = from;
  if (from != to || from != arrived.place) arrived.ready = queue(from).mark(from);
}

void BackwardStreams::go_on(Arrived& arrived, const Tensor& grad, const Stream& from,
                            const Stream& to) const {
  const Stream place = *arrived.place;
  if (place != from) join(place, from);
  if (place != arrived.last) queue(place).hold_back(place, *arrived.ready);
  note_use(grad, place);
  note_use(arrived.sum, place);
  const std::shared_ptr<void> on = queue(place).enter(place);
  arrived.sum = sum_of(runtime_, arrived.sum, grad);
  arrived.last = place;
  arrived.ready = place == to ? nullptr : queue(place).mark(place);
}

std::shared_ptr<void> BackwardStreams::enter(const std::optional<Stream>& stream,
                                             const std::vector<Arrived>& arrived) {
  if (!stream) return nullptr;
  for (const Arrived& grad : arrived) {
    if (!grad.sum.defined() || grad.last == stream || grad.ready == nullptr) continue;
    queue(*stream).hold_back(*stream, *grad.ready);
    note_use(grad.sum, *stream);
  }
  return queue(*stream).enter(*stream);
}

void BackwardStreams::refuse_stale_leaf(const std::optional<Stream>& from,
                                        const std::optional<Stream>& leaf) const {
  if (!from || !leaf || from == leaf || leaf->id != 0) return;
  if (runtime_.contract().before(Release::k2_13)) return;
  const std::shared_ptr<void> on = queue(*from).enter(*from);
  check(!is_captured(runtime_), [] {
    return "an AccumulateGrad node still has the default stream, from before this capture: that "
           "stream would join the capture and spoil it";
  });
}

void BackwardStreams::warn_of_other_stream(const std::optional<Stream>& from,
                                           const std::optional<Stream>& leaf) const {
  if (!from || !leaf || from == leaf || !runtime_.contract().at_least(Release::k2_11)) return;
  runtime_.warn_once("UserWarning",
                     "The stream of an AccumulateGrad node is not the stream of the gradient: the "
                     "leaf was used in another stream first, and a graph still leads to it");
}

void BackwardStreams::ends_in(const std::optional<Stream>& stream) {
  if (stream && std::ranges::find(ends_, *stream) == ends_.end()) ends_.push_back(*stream);
}

void BackwardStreams::finish() {
  for (const Stream& end : ends_) {
    const Stream caller = queue(end).current(end.device);
    if (caller != end) join(caller, end);
  }
}

/// Its memory is not given to others before the stream has done its present work (MEM-006).
void BackwardStreams::note_use(const Tensor& grad, const Stream& stream) const {
  if (grad.is_sparse() || grad.device() != stream.device) return;
  const std::shared_ptr<void> on = queue(stream).enter(stream);
  if (StorageMemory* memory = memory_of(grad.impl()->storage)) memory->used_by(stream.device);
}

void BackwardStreams::join(const Stream& waiting, const Stream& awaited) const {
  queue(waiting).hold_back(waiting, *queue(awaited).mark(awaited));
}

}  // namespace assay::reference
