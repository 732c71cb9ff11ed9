// Creates and warms up the streams, locations and host buffers of a litmus program.
#include "harness/suite/litmus/objects.hpp"

#include "harness/suite/expect.hpp"
#include "harness/suite/tensors.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
namespace {

using litmus::StreamKind;
using litmus::Verb;

/// PyTorch's pools have 32 streams per priority; others may have fewer.
constexpr int kMostRequests = 64;
/// The handle of the calling thread's default stream (STR-012).
constexpr std::int64_t kPerThreadHandle = 2;

Command command(std::string verb, Fields with) {
  Command made;
  made.verb = std::move(verb);
  made.with = std::move(with);
  return made;
}

}  // namespace

TensorValue host_word(std::int64_t value) {
  return on(i64({static_cast<double>(value)}), {"cpu", -1});
}

LitmusObjects::LitmusObjects(Session& session, const litmus::Program& program)
    : session_(session), program_(program) {
  for (const litmus::Operation* operation : program_.operations()) look_at(*operation);
  for (const int device : devices_) {
    if (session_.device(device).type == "cpu") throw NotOffered("a CPU has no streams");
  }
  for (const auto& [name, stream] : wanted_) make(stream);
  for (const int device : devices_) {
    const Device here = session_.device(device);
    defaults_[device] = sent("runtime.default_stream", {{"device", here}}, here).name;
  }
  make_memory();
  warm_up();
}

LitmusObjects::~LitmusObjects() {
  try {
    // Frees memory first, which may need the streams that have used it (MEM-028).
    for (auto name = names_.rbegin(); name != names_.rend(); ++name) {
      if (raw_.contains(*name)) {
        session_.ask(command("runtime.destroy_raw_stream", {{"stream", Ref{*name}}}));
      }
      session_.ask(command("drop", {{"object", Ref{*name}}}));
    }
  } catch (const std::exception&) {
    return;  // the subject is gone, with all its objects
  }
}

void LitmusObjects::look_at(const litmus::Operation& operation) {
  if (operation.verb == Verb::kSyncDevice) devices_.insert(operation.device);
  for (const litmus::Stream* stream : {&operation.stream, &operation.other}) {
    if (stream->name.empty()) continue;
    wanted_.emplace(stream->name, *stream);
    devices_.insert(stream->device);
  }
  switch (operation.verb) {
    case Verb::kAlias:
      aliases_.emplace(operation.stream.name, operation.other);
      return;
    case Verb::kPinned:
    case Verb::kPageable:
      first_contents_[operation.buffer] = operation.value;
      devices_.insert(0);
      return;
    case Verb::kRecord:
    case Verb::kWait:
    case Verb::kQueryEvent:
    case Verb::kSyncEvent:
      events_.insert(operation.object);
      devices_.insert(0);
      return;
    default:
      break;
  }
  if (operation.location.empty()) return;
  const auto [user, is_new] = users_.emplace(operation.location, operation.stream);
  if (user->second.device == operation.stream.device) return;
  throw litmus::BadProgram("location '" + operation.location + "' is used on two devices");
}

LitmusObjects::MadeStream LitmusObjects::sent(std::string verb, Fields with, const Device& device) {
  MadeStream made{session_.fresh_name("stream"), device, 0, 0};
  const Reply reply = session_.send(std::move(verb), std::move(with), made.name);
  names_.push_back(made.name);
  made.id = field_as<std::int64_t>(reply, "id");
  if (reply.ok.has("handle")) made.handle = field_as<std::int64_t>(reply, "handle");
  return made;
}

void LitmusObjects::make(const litmus::Stream& stream) {
  if (streams_.contains(stream.name)) return;
  if (const auto alias = aliases_.find(stream.name); alias != aliases_.end()) {
    make(alias->second);
    streams_[stream.name] = make_another_name(stream, streams_.at(alias->second.name));
    return;
  }
  const Device device = session_.device(stream.device);
  MadeStream& made = streams_[stream.name];
  switch (stream.kind) {
    case StreamKind::kNonBlocking:
      made = sent("runtime.pool_stream", {{"device", device}}, device);
      return;
    case StreamKind::kBlocking:
      made = sent("runtime.raw_stream", {{"device", device}, {"blocking", true}}, device);
      raw_.insert(made.name);
      return;
    case StreamKind::kLegacy:
      made = sent("runtime.default_stream", {{"device", device}}, device);
      return;
    case StreamKind::kPerThread:
      made = sent("runtime.external_stream", {{"handle", kPerThreadHandle}, {"device", device}},
                  device);
  }
}

LitmusObjects::MadeStream LitmusObjects::make_another_name(const litmus::Stream& stream,
                                                           const MadeStream& other) {
  if (stream.kind == StreamKind::kNonBlocking) return next_of_the_pool(stream, other);
  if (stream.kind == StreamKind::kBlocking) {
    return sent("runtime.external_stream", {{"handle", other.handle}, {"device", other.device}},
                other.device);
  }
  return sent("runtime.stream", {{"device", other.device}, {"id", other.id}}, other.device);
}

/// Requests streams until the pool returns that stream again (STR-013).
LitmusObjects::MadeStream LitmusObjects::next_of_the_pool(const litmus::Stream& stream,
                                                          const MadeStream& other) {
  for (int request = 0; request < kMostRequests; ++request) {
    MadeStream made = sent("runtime.pool_stream", {{"device", other.device}}, other.device);
    if (made.id == other.id) return made;
  }
  // PyTorch's guard of a device with a name of its own only promises new streams.
  if (const std::string& type = other.device.type; type != "cuda" && type != "cpu") {
    throw Unsupported("streams of " + type + " do not come from a pool that repeats them");
  }
  throw CheckFailed(stream.name + " is not a stream that the pool returned before",
                    "a pool that repeats its streams",
                    std::to_string(kMostRequests) + " different streams",
                    std::source_location::current());
}

void LitmusObjects::make_memory() {
  for (const auto& [location, user] : users_) {
    locations_[location] = session_.fresh_name("location");
    session_.send("core.tensor", {{"value", on(host_word(0), session_.device(user.device))}},
                  locations_[location]);
    names_.push_back(locations_[location]);
  }
  for (const litmus::Operation* operation : program_.operations()) {
    if (operation->verb != Verb::kPinned && operation->verb != Verb::kPageable) continue;
    const TensorValue value = host_word(operation->value);
    const bool pinned = operation->verb == Verb::kPinned;
    std::string& name = buffers_[operation->buffer];
    name = session_.fresh_name("buffer");
    session_.send(pinned ? "memory.pin_memory" : "core.tensor",
                  {{pinned ? "tensor" : "value", value}}, name);
    names_.push_back(name);
  }
}

/// The first kernel of a kind may wait for the whole device, and the first result in a stream
/// allocates memory: neither may happen behind a closed gate (§5.4).
void LitmusObjects::warm_up() {
  for (const auto& [name, stream] : wanted_) {
    session_.send("runtime.kernel", {{"stream", this->stream(name)}});
    const std::string gate = session_.fresh_name("gate");
    session_.send("runtime.gate", {{"stream", this->stream(name)}}, gate);
    session_.send("runtime.open", {{"gate", Ref{gate}}});
    names_.push_back(gate);
  }
  std::vector<std::string> loads;
  for (const litmus::Operation* operation : program_.operations()) {
    if (operation->verb != Verb::kLoad) continue;
    const std::string& name = loads.emplace_back(session_.fresh_name("load"));
    session_.send(
        "runtime.load",
        {{"tensor", location(operation->location)}, {"stream", stream(operation->stream.name)}},
        name);
  }
  for (const Command& command : wait_for_all()) session_.send(command);
  for (const std::string& name : loads) session_.drop(name);
}

Block LitmusObjects::clear() const {
  return session_.block([&](Session& session) {
    for (const auto& [name, value] : first_contents_) {
      session.send("core.copy_", {{"dst", buffer(name)}, {"src", host_word(value)}});
    }
    for (const auto& [name, user] : users_) {
      session.send("runtime.store",
                   {{"tensor", location(name)}, {"value", 0}, {"stream", stream(user.name)}});
    }
    for (const int device : devices_) {
      session.send("runtime.synchronize_device", {{"device", session.device(device)}});
    }
  });
}

Block LitmusObjects::wait_for_all() const {
  return session_.block([&](Session& session) {
    for (const int device : devices_) {
      session.send("runtime.synchronize_device", {{"device", session.device(device)}});
    }
  });
}

}  // namespace assay
