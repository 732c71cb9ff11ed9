// Driver calls for captures and for the error register.
#include <utility>

#include "reference/runtime/device/driver_state.hpp"

namespace assay::reference {
namespace {

/// The work of a graph's nodes from `first` to before `last`, as one operation.
Work together(const std::shared_ptr<const CapturedWork>& graph, std::size_t first,
              std::size_t last) {
  Work all{.name = "graph", .virtual_ns = 0};
  for (std::size_t i = first; i < last; ++i) {
    const Work& work = (*graph)[i].work;
    all.virtual_ns += work.virtual_ns;
    if (all.fails == Code::kSuccess) all.fails = work.fails;
  }
  all.run = [graph, first, last] {
    for (std::size_t i = first; i < last; ++i) {
      if ((*graph)[i].work.run) (*graph)[i].work.run();
    }
  };
  return all;
}

}  // namespace

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

std::uint64_t Driver::capture_of(StreamHandle stream) const {
  const std::scoped_lock lock(state_->mutex);
  if (!state_->captures.any()) return 0;
  const auto found = state_->created_streams.find(stream);
  return found == state_->created_streams.end() ? 0 : state_->captures.number(found->second);
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
  return state_->answer({"graph_launch", stream_text(stream)}, [&](State::Lock&) {
    state_->replay(state_->usable_stream(stream), graph);
  });
}

void Driver::State::replay(Stream& stream, const std::shared_ptr<const CapturedWork>& graph) {
  if (graph->empty()) submit(stream, {.work = together(graph, 0, 0)});
  for (std::size_t first = 0; first < graph->size();) {
    std::size_t last = first;
    while (last < graph->size() && (*graph)[last].is_work()) ++last;
    if (last == first) {
      replay_event(stream, (*graph)[first]);
      ++first;
    } else {
      submit(stream, {.work = together(graph, first, last)});
      first = last;
    }
  }
}

/// EVT-034. An event that has been destroyed meanwhile is passed over.
void Driver::State::replay_event(Stream& stream, const CapturedNode& node) {
  if (captures.has(stream.queue)) return add_external(stream, node);
  const auto found = events.find(node.recorded != 0 ? node.recorded : node.awaited);
  if (found == events.end()) return;
  if (node.recorded != 0) return record(stream, found->second);
  wait(stream, *found->second);
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
