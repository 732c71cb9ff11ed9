// Driver calls for events, for captures and for the error register.
#include <algorithm>
#include <utility>

#include "reference/runtime/device/driver_state.hpp"

namespace assay::reference {
namespace {

constexpr std::size_t kIpcBytes = 64;
constexpr std::string_view kIpcMark = "assay event ";

bool has(unsigned flags, EventFlags flag) { return (flags & static_cast<unsigned>(flag)) != 0; }

/// An interprocess event must have timing disabled (EVT-027).
bool are_valid(unsigned flags) {
  return flags <= 7 &&
         (!has(flags, EventFlags::kInterprocess) || has(flags, EventFlags::kDisableTiming));
}

std::optional<EventId> id_in(const std::string& bytes) {
  if (bytes.size() != kIpcBytes || bytes.compare(0, kIpcMark.size(), kIpcMark) != 0) {
    return std::nullopt;
  }
  return std::strtoull(bytes.c_str() + kIpcMark.size(), nullptr, 10);
}

}  // namespace

Code Driver::event_create(EventHandle& event, unsigned flags) {
  return state_->answer({"event_create", std::to_string(flags)}, [&](State::Lock&) {
    if (!are_valid(flags)) throw State::Refusal{Code::kInvalidValue};
    const EventId id = state_->next_event++;
    state_->events[id] =
        std::make_shared<State::Event>(State::Event{id, state_->current_device(), flags});
    event = id;
  });
}

Code Driver::event_record(EventHandle event, StreamHandle stream, bool external) {
  const std::string arguments =
      event_text(event) + ", " + stream_text(stream) + (external ? ", external" : "");
  return state_->answer({"event_record", arguments}, [&](State::Lock&) {
    State::Stream& recording = state_->usable_stream(stream);
    const std::shared_ptr<State::Event> recorded = state_->event(event);
    if (recorded->device != recording.device) throw State::Refusal{Code::kInvalidHandle};
    if (external) return state_->add_external(recording, {.recorded = event});
    state_->record(recording, recorded);
  });
}

Code Driver::event_query(EventHandle event) {
  return state_->answer({"event_query", event_text(event)}, [&](State::Lock& lock) {
    const std::shared_ptr<State::Event> asked = state_->event(event);
    state_->touch(asked->device);
    state_->check_not_captured(*asked);
    state_->refuse_unsafe();
    const bool is_ready = state_->machine.is_event_ready(asked->id);
    state_->answer_query(lock, is_ready, state_->machine.version_of(asked->id));
  });
}

Code Driver::event_sync(EventHandle event) {
  return state_->answer({"event_sync", event_text(event)}, [&](State::Lock& lock) {
    const std::shared_ptr<State::Event> awaited = state_->event(event);
    state_->touch(awaited->device);
    state_->check_not_captured(*awaited);
    state_->refuse_unsafe();
    const ItemId version = awaited->version;
    state_->wait_for(lock, state_->machine.version_of(awaited->id));
    if (awaited->version == version) {
      state_->now_ns = std::max(state_->now_ns, awaited->finished_ns);
    }
    state_->touch(awaited->device);
  });
}

Code Driver::event_elapsed(float& milliseconds, EventHandle from, EventHandle to) {
  const std::string arguments = event_text(from) + ", " + event_text(to);
  return state_->answer({"event_elapsed", arguments}, [&](State::Lock&) {
    const std::shared_ptr<State::Event> first = state_->event(from);
    const std::shared_ptr<State::Event> second = state_->event(to);
    for (const auto& event : {first, second}) {
      if (state_->captures.has_event(event->id)) {
        throw State::Refusal{state_->captures.verdict_on_event(event->id)};
      }
    }
    const bool is_timed = !has(first->flags | second->flags, EventFlags::kDisableTiming);
    const bool is_recorded = first->version != 0 && second->version != 0;
    if (!is_timed || !is_recorded || first->device != second->device) {  // EVT-017, EVT-020
      throw State::Refusal{Code::kInvalidHandle};
    }
    const Machine& machine = state_->machine;
    const bool is_over =
        machine.is_complete(first->version) && machine.is_complete(second->version);
    if (!is_over) {
      throw State::Refusal{Code::kNotReady};  // EVT-021
    }
    milliseconds =
        static_cast<float>(static_cast<double>(second->finished_ns - first->finished_ns) / 1e6);
  });
}

Code Driver::event_destroy(EventHandle event) {
  return state_->answer({"event_destroy", event_text(event)}, [&](State::Lock&) {
    const std::shared_ptr<State::Event> gone = state_->event(event);
    state_->events.erase(event);
    const bool is_last = std::none_of(state_->events.begin(), state_->events.end(),
                                      [&](const auto& entry) { return entry.second == gone; });
    if (is_last) state_->machine.forget_event(gone->id);  // pending waits stay valid (EVT-022)
    if (is_last) state_->captures.forget_event(gone->id);
    state_->touch(gone->device);
  });
}

Code Driver::ipc_get(EventHandle event, std::string& bytes) {
  return state_->answer({"ipc_get", event_text(event)}, [&](State::Lock&) {
    const std::shared_ptr<State::Event> exported = state_->event(event);
    if (!has(exported->flags, EventFlags::kInterprocess)) {
      throw State::Refusal{Code::kInvalidHandle};
    }
    bytes = std::string(kIpcMark) + std::to_string(exported->id);
    bytes.resize(kIpcBytes, '\0');
  });
}

Code Driver::ipc_open(EventHandle& event, const std::string& bytes) {
  return state_->answer({"ipc_open"}, [&](State::Lock&) {
    const std::optional<EventId> id = id_in(bytes);
    const auto found =
        std::find_if(state_->events.begin(), state_->events.end(),
                     [&](const auto& entry) { return id && entry.second->id == *id; });
    if (found == state_->events.end()) throw State::Refusal{Code::kInvalidValue};
    const std::shared_ptr<State::Event> shared = found->second;
    event = state_->next_event++;
    state_->events[event] = shared;
  });
}

// Captures and the error register.

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
