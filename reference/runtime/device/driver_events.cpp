// Driver calls for events.
#include <algorithm>

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

}  // namespace assay::reference
