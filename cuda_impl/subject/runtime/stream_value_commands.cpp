// Area runtime: stream values, and queries on streams and events.
#include <charconv>

#include "cuda_impl/runtime/backends/backend_registry.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"

namespace assay::cuda {
namespace {

constexpr int kHex = 16;

std::string in_hex(std::uint64_t word) {
  std::string digits(2 * sizeof word, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, word /= kHex) {
    *digit = "0123456789abcdef"[word % kHex];
  }
  return digits;
}

std::uint64_t word_argument(Call& call) {
  const std::string text = call.arguments().text("text");
  std::uint64_t word = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, word, kHex);
  if (read.ec != std::errc() || read.ptr != end) {
    throw InvalidArgument("'text' must be a word of 64 bits in hexadecimal, not '" + text + "'");
  }
  return word;
}

std::string name_of(StreamKind kind) {
  switch (kind) {
    case StreamKind::kLegacy:
      return "legacy";
    case StreamKind::kPerThread:
      return "per_thread";
    case StreamKind::kPool:
      return "pool";
    case StreamKind::kExternal:
      break;
  }
  return "external";
}

}  // namespace

void runtime_stream(Call& call) {
  const Device device = call.device_as_given("device");
  give_stream(call, {device, call.arguments().integer("id")});
}

void runtime_stream_info(Call& call) {
  const Stream asked = stream_argument(call);
  call.set("device", to_waist(asked.device, call.release()));
  call.set("id", asked.id);
  call.set("hash", in_hex(hash_of(asked, call.release())));
  call.set("text", to_text(asked, call.release()));
}

void runtime_handle(Call& call) {
  const Stream asked = stream_argument(call);
  const StreamPlace place = place_of(asked);
  const bool is_in_pool = place.kind == StreamKind::kPool;
  call.result(Value(std::int64_t{reinterpret_cast<std::intptr_t>(handle_of(asked))}));
  call.set("kind", name_of(place.kind));
  call.set("level", is_in_pool ? Value(place.level) : Value());
  call.set("index", is_in_pool ? Value(place.index) : Value());
}

void runtime_priority(Call& call) { call.result(Value(priority_of(stream_argument(call)))); }

void runtime_priority_range(Call& call) {
  const PriorityRange found = priority_range();
  call.set("least", found.least);
  call.set("greatest", found.greatest);
}

void runtime_pack(Call& call) {
  const Stream asked = stream_argument(call);
  if (call.release() == Release::k1_13) return call.result(Value(in_hex(packed(asked))));
  const StreamParts parts = parts_of(asked, call.release());
  call.set("id", parts.id);
  call.set("device_index", parts.device_index);
  call.set("device_type", parts.device_type);
}

void runtime_unpack(Call& call) {
  const bool has_words = call.release() == Release::k1_13;
  if (has_words != call.has("text")) {
    throw NotSupported(has_words ? "this release packs a stream into a word"
                                 : "this release packs a stream into three numbers");
  }
  if (has_words) return give_stream(call, unpacked(word_argument(call)));
  const StreamParts parts{.id = call.arguments().integer("id"),
                          .device_index = call.arguments().integer("device_index"),
                          .device_type = call.arguments().integer("device_type")};
  give_stream(call, stream_from(parts, call.release()));
}

void runtime_equal(Call& call) {
  const auto a = made_stream(call, "a");
  const auto b = made_stream(call, "b");
  call.result(Value(a && b && *a == *b));
}

void runtime_query(Call& call) {
  if (const auto asked = call.object("object").as<Stream>()) {
    return call.result(Value(backend_of(asked->device.kind).query_stream(*asked)));
  }
  const auto event = event_argument(call, "object");
  call.result(Value(std::visit([](const auto& asked) { return asked.query(); }, *event)));
}

void runtime_synchronize(Call& call) {
  if (const auto asked = call.object("object").as<Stream>()) {
    return backend_of(asked->device.kind).synchronize_stream(*asked);
  }
  const auto event = event_argument(call, "object");
  std::visit([](const auto& asked) { asked.synchronize(); }, *event);
}

}  // namespace assay::cuda
