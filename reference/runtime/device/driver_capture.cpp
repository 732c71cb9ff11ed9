// Driver calls for captures and for the error register.
#include <utility>

#include "reference/runtime/device/driver_state.hpp"

namespace assay::reference {

Code Driver::capture_begin(StreamHandle stream, CaptureMode mode) {
  return state_->answer({"capture_begin", stream_text(stream)}, [&](State::Lock&) {
    const State::Stream& origin = state_->usable_stream(stream);
    if (origin.is_legacy) throw State::Refusal{Code::kCaptureUnsupported};
    const Code code = state_->captures.begin(origin.queue, mode, thread_number());
    if (code != Code::kSuccess) throw State::Refusal{code};
  });
}

Code Driver::capture_end(StreamHandle stream, CapturedWork* captured) {
  CapturedWork made;  // destroyed without holding the mutex
  return state_->answer({"capture_end", stream_text(stream)}, [&](State::Lock&) {
    const Code code = state_->captures.end(state_->stream(stream).queue, thread_number(), made);
    if (code != Code::kSuccess) throw State::Refusal{code};
    if (captured != nullptr) captured->swap(made);
  });
}

Code Driver::capture_status(StreamHandle stream, CaptureStatus& status) {
  return state_->answer({"capture_status", stream_text(stream), false}, [&](State::Lock&) {
    const State::Stream& asked = state_->stream(stream);
    if (state_->is_blocked(asked)) throw State::Refusal{Code::kCaptureImplicit};
    status = state_->captures.status(asked.queue);
  });
}

Code Driver::exchange_capture_mode(CaptureMode& mode) {
  return state_->answer({"exchange_capture_mode", "", false}, [&](State::Lock&) {
    mode = std::exchange(state_->thread_state().capture_mode, mode);
  });
}

bool Driver::is_capturing() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->captures.any();
}

bool Driver::is_capturing(StreamHandle stream) const {
  const std::scoped_lock lock(state_->mutex);
  if (!state_->captures.any()) return false;
  const auto found = state_->created_streams.find(stream);
  return found != state_->created_streams.end() && state_->captures.has(found->second);
}

bool Driver::is_in_capture(StreamHandle stream, StreamHandle origin) const {
  const std::scoped_lock lock(state_->mutex);
  if (!state_->captures.any()) return false;
  const auto& created = state_->created_streams;
  const auto asked = created.find(stream);
  const auto begun = created.find(origin);
  if (asked == created.end() || begun == created.end()) return false;
  return state_->captures.is_part(asked->second, begun->second);
}

Code Driver::graph_launch(StreamHandle stream, std::shared_ptr<const CapturedWork> graph) {
  Work all{.name = "graph", .virtual_ns = 0};
  for (const Work& work : *graph) {
    all.virtual_ns += work.virtual_ns;
    if (all.fails == Code::kSuccess) all.fails = work.fails;
  }
  all.run = [graph] {
    for (const Work& work : *graph) {
      if (work.run) work.run();
    }
  };
  return state_->answer({"graph_launch", stream_text(stream)}, [&](State::Lock&) {
    state_->submit(state_->usable_stream(stream), {.work = std::move(all)});
  });
}

Code Driver::get_last_error() {
  const Code code = peek_last_error();
  if (is_sticky(code)) return code;
  const std::scoped_lock lock(state_->mutex);
  state_->thread_state().last_error = Code::kSuccess;
  return code;
}

Code Driver::peek_last_error() const {
  const std::scoped_lock lock(state_->mutex);
  if (!state_->shape.has_driver) return Code::kInsufficientDriver;  // FLT-003
  return state_->thread_state().last_error;
}

}  // namespace assay::reference
