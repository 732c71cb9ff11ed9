// Events between the streams of a backward pass. Where all is in one stream there are none.
#include "cuda_impl/autograd/streams.hpp"

#include <algorithm>
#include <atomic>

#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
namespace {

PooledEvent event_in(const DeviceStream& stream) {
  return PooledEvent(StreamUse{stream.device, handle_of(stream)});
}

void make_wait(const DeviceStream& stream, const PooledEvent& event) {
  const DeviceScope on(stream.device);
  event.hold_back(handle_of(stream));
}

/// Keeps the allocator from giving the memory away before the stream has read it (MEM-006).
void note_use(const Tensor& gradient, const DeviceStream& stream) {
  if (gradient.is_sparse() || gradient.device().index != stream.device) return;
  gradient->storage->note_use({stream.device, handle_of(stream)});
}

std::atomic<bool>& was_told_of_other_stream() {
  static std::atomic<bool> was_told = false;
  return was_told;
}

/// Before 2.8, the receiving stream waits as soon as a gradient arrives.
bool waits_on_arrival() { return rules().release < Release::k2_11; }

}  // namespace

void refuse_captured(const std::optional<DeviceStream>& from,
                     const std::optional<DeviceStream>& leaf) {
  if (rules().release < Release::k2_13 || !from || !leaf || *from == *leaf) return;
  if (handle_of(*leaf) != nullptr) return;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cuda_check(cudaStreamIsCapturing(handle_of(*from), &status));
  require(status == cudaStreamCaptureStatusNone, [] {
    return "AccumulateGrad: this leaf was first used in the default stream, which cannot become "
           "part of the capture that produced its gradient; warm up in the capturing stream";
  });
}

void warn_of_other_stream(const std::optional<DeviceStream>& from,
                          const std::optional<DeviceStream>& leaf) {
  if (waits_on_arrival() || !from || !leaf || *from == *leaf) return;
  if (was_told_of_other_stream().exchange(true)) return;
  warn("UserWarning",
       "AccumulateGrad: this leaf's stream does not match the stream that produced its gradient, "
       "because a graph from before keeps it; drop that graph to avoid the synchronisation");
}

void forget_other_stream() { was_told_of_other_stream() = false; }

OnlyStreamScope::OnlyStreamScope(const DeviceStream& stream)
    : device_(stream.device), before_(exchange_current_streams({})) {
  set_stream_on(stream.device, stream.stream);
}

void ArrivedGradient::add(const Tensor& gradient, const std::optional<DeviceStream>& from,
                          const std::optional<DeviceStream>& to) {
  if (!gradient.is_cuda()) {
    sum_ = sum_.defined() ? autograd::add(sum_, gradient) : gradient;
    return;
  }
  const int device = gradient.device().index;
  const DeviceStream writer = from.value_or(stream_here(device));
  const DeviceStream reader = to.value_or(stream_here(device));
  if (adds_in_) {
    add_in(*adds_in_, gradient, writer);
  } else {
    sum_ = gradient;
    adds_in_ = reader.device == device   ? reader
               : writer.device == device ? writer
                                         : stream_here(device);
    written_in_ = writer;
  }
  is_written_.reset();
  if (written_in_ == reader && written_in_ == *adds_in_) return;
  is_written_.emplace(event_in(written_in_));
  if (waits_on_arrival()) hold_back(reader);
}

void ArrivedGradient::add_in(const DeviceStream& stream, const Tensor& gradient,
                             const DeviceStream& from) {
  if (!(from == stream)) make_wait(stream, event_in(from));
  hold_back(stream);
  note_use(gradient, stream);
  const OnlyStreamScope on(stream);
  sum_ = autograd::add(sum_, gradient);
  written_in_ = stream;
}

void ArrivedGradient::hold_back(const DeviceStream& reader) const {
  if (!is_written_ || written_in_ == reader) return;
  make_wait(reader, *is_written_);
  note_use(sum_, reader);
}

OnNodeStream::OnNodeStream(const std::optional<DeviceStream>& stream,
                           const ArrivedGradient& gradient) {
  if (!stream) return;
  gradient.hold_back(*stream);
  scope_.emplace(*stream);
}

void GradientEnds::add(const std::optional<DeviceStream>& stream) {
  if (stream && std::ranges::find(streams_, *stream) == streams_.end()) streams_.push_back(*stream);
}

void GradientEnds::hold_back_caller() const {
  for (const DeviceStream& end : streams_) {
    const DeviceStream caller = stream_here(end.device);
    if (!(caller == end)) make_wait(caller, event_in(end));
  }
}

}  // namespace assay::cuda
