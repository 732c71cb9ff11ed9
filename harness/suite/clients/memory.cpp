// Implements the typed client of the area memory.
#include "harness/suite/clients/memory.hpp"

namespace assay {
namespace {

template <typename T>
void set_if(Fields& fields, std::string name, const std::optional<T>& value) {
  if (value) fields.set(std::move(name), *value);
}

Fields on_device(const std::optional<Device>& device) {
  Fields with;
  set_if(with, "device", device);
  return with;
}

const Value* find_in(const Dict& dict, std::string_view key) {
  for (const auto& [name, value] : dict.items) {
    const std::string* text = name.get_if<std::string>();
    if (text != nullptr && *text == key) return &value;
  }
  return nullptr;
}

/// The value of `key` in a dict of a list in a reply.
template <typename T>
const T& member(const Value& value, std::string_view key) {
  const Dict* dict = value.get_if<Dict>();
  const Value* found = dict == nullptr ? nullptr : find_in(*dict, key);
  const T* held = found == nullptr ? nullptr : found->get_if<T>();
  if (held == nullptr) throw BadReply("a segment lacks a fitting '" + std::string(key) + "'");
  return *held;
}

SegmentInfo segment_from(const Value& value) {
  SegmentInfo segment{.address = member<std::int64_t>(value, "address"),
                      .size_bytes = member<std::int64_t>(value, "size"),
                      .stream = member<std::int64_t>(value, "stream"),
                      .pool = member<std::string>(value, "pool"),
                      .blocks = {}};
  for (const Value& block : member<List>(value, "blocks").items) {
    segment.blocks.push_back({.offset = member<std::int64_t>(block, "offset"),
                              .size_bytes = member<std::int64_t>(block, "size"),
                              .state = member<std::string>(block, "state")});
  }
  return segment;
}

}  // namespace

BlockInfo MemoryBlock::info() const {
  const Reply reply = session_->send("memory.block", {{"block", *this}});
  if (session_->recording()) return {};
  return {.address = field_as<std::int64_t>(reply, "address"),
          .size_bytes = field_as<std::int64_t>(reply, "size"),
          .requested_bytes = field_as<std::int64_t>(reply, "requested"),
          .segment = field_as<std::int64_t>(reply, "segment"),
          .offset = field_as<std::int64_t>(reply, "offset")};
}

void MemoryBlock::free() const { session_->send("memory.free", {{"block", *this}}); }

void MemoryBlock::record_stream(const Value& stream) const {
  session_->send("memory.record_stream", {{"block", *this}, {"stream", stream}});
}

bool MemoryBlock::pinned_record(const Value& stream, bool foreign) const {
  Fields with{{"block", *this}, {"stream", stream}};
  if (foreign) with.set("foreign", true);
  return session_->read<bool>("memory.pinned_record", std::move(with));
}

std::string MemoryBlock::read(std::int64_t offset, std::optional<std::int64_t> count) const {
  Fields with{{"block", *this}};
  if (offset != 0) with.set("offset", offset);
  set_if(with, "count", count);
  return session_->read<std::string>("memory.read", std::move(with));
}

void MemoryBlock::write(int byte, const FillArguments& where) const {
  Fields with{{"block", *this}, {"byte", byte}};
  set_if(with, "offset", where.offset);
  set_if(with, "count", where.count);
  set_if(with, "stream", where.stream);
  session_->send("memory.write", std::move(with));
}

const Value* MemoryStats::find(std::string_view key) const { return find_in(counters_, key); }

bool MemoryStats::has(std::string_view key) const { return find(key) != nullptr; }

std::int64_t MemoryStats::operator[](std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) throw BadReply("there is no counter '" + std::string(key) + "'");
  if (const auto* count = value->get_if<std::int64_t>()) return *count;
  throw BadReply("the counter '" + std::string(key) + "' is not an int");
}

MemoryBlock MemoryClient::make(std::string verb, Fields with) const {
  const std::string name = session_->fresh_name("block");
  const Reply reply = session_->send(std::move(verb), std::move(with), name);
  return {*session_, name, !session_->recording() && field_as<bool>(reply, "null")};
}

MemoryBlock MemoryClient::allocate(std::int64_t size_bytes,
                                   const AllocateArguments& arguments) const {
  Fields with{{"size", size_bytes}};
  set_if(with, "stream", arguments.stream);
  set_if(with, "device", arguments.device);
  return make("memory.allocate", std::move(with));
}

void MemoryClient::free_address(std::int64_t address) const {
  session_->send("memory.free_address", {{"address", address}});
}

void MemoryClient::record_tensor_stream(const Value& tensor, const Value& stream) const {
  session_->send("memory.record_tensor_stream", {{"tensor", tensor}, {"stream", stream}});
}

void MemoryClient::empty_cache() const { session_->send("memory.empty_cache"); }

void MemoryClient::set_fraction(const Value& fraction, const std::optional<Device>& device) const {
  Fields with{{"fraction", fraction}};
  set_if(with, "device", device);
  session_->send("memory.set_fraction", std::move(with));
}

MemoryStats MemoryClient::stats(const std::optional<Device>& device) const {
  return MemoryStats(session_->read<Dict>("memory.stats", on_device(device)));
}

void MemoryClient::reset_peak(const std::optional<Device>& device) const {
  session_->send("memory.reset_peak", on_device(device));
}

void MemoryClient::reset_accumulated(const std::optional<Device>& device) const {
  session_->send("memory.reset_accumulated", on_device(device));
}

std::vector<SegmentInfo> MemoryClient::segments(const std::optional<Device>& device) const {
  std::vector<SegmentInfo> segments;
  for (const Value& value : session_->read<List>("memory.segments", on_device(device)).items) {
    segments.push_back(segment_from(value));
  }
  return segments;
}

void MemoryClient::configure(const std::string& options,
                             const std::optional<std::string>& source) const {
  Fields with{{"options", options}};
  set_if(with, "source", source);
  session_->send("memory.configure", std::move(with));
}

void MemoryClient::set_uncached(bool value) const {
  session_->send("memory.uncached", {{"value", value}});
}

void MemoryClient::set_backend(const std::string& name) const {
  session_->send("memory.backend", {{"name", name}});
}

void MemoryClient::set_observer(const Callable& function) const {
  session_->send("memory.observer", {{"function", function}});
}

void MemoryClient::set_free_callback(const Callable& function) const {
  session_->send("memory.free_callback", {{"function", function}});
}

std::string MemoryClient::size_text(std::int64_t bytes) const {
  return session_->read<std::string>("memory.size_text", {{"bytes", bytes}});
}

std::int64_t MemoryClient::round(std::int64_t size_bytes) const {
  return session_->read<std::int64_t>("memory.round", {{"size", size_bytes}});
}

Ref MemoryClient::capture_pool(const Value& stream) const {
  const std::string name = session_->fresh_name("pool");
  session_->send("memory.capture_pool", {{"stream", stream}}, name);
  return {name};
}

void MemoryClient::release_pool(const Ref& pool) const {
  session_->send("memory.release_pool", {{"pool", pool}});
}

MemoryBlock MemoryClient::pin(std::int64_t size_bytes) const {
  return make("memory.pin", {{"size", size_bytes}});
}

Ref MemoryClient::pin_memory(const Value& tensor) const {
  const std::string name = session_->fresh_name("pinned");
  session_->send("memory.pin_memory", {{"tensor", tensor}}, name);
  return {name};
}

bool MemoryClient::is_pinned(const Value& tensor) const {
  return session_->read<bool>("memory.is_pinned", {{"tensor", tensor}});
}

MemoryClient Session::memory() { return MemoryClient(*this); }

}  // namespace assay
