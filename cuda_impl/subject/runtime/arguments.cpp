// Streams, events and devices among the arguments and results of the area runtime.
#include "cuda_impl/subject/runtime/arguments.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "cuda_impl/runtime/cuda_stream.hpp"

namespace assay::cuda {
namespace {

/// The kinds of stream objects, by maker.
constexpr std::array<std::string_view, 3> kKinds{"stream", "torch.Stream", "torch.cuda.Stream"};

}  // namespace

Device device_or_cuda(Call& call) {
  return call.is_none("device") ? cuda_device(-1) : call.device_as_given("device");
}

DeviceKind kind_argument(Call& call, std::string_view name) {
  const std::string text = call.arguments().text(name);
  const auto kind = device_kind_named(text, call.release());
  if (!kind) throw InvalidArgument("this release has no device type '" + text + "'");
  return *kind;
}

Stream stream_argument(Call& call, std::string_view name) {
  return *call.held<Stream>(name, "stream");
}

std::optional<Stream> stream_or_none(Call& call) {
  if (call.is_none("stream")) return std::nullopt;
  return stream_argument(call);
}

Stream stream_or_current(Call& call) {
  const auto given = stream_or_none(call);
  return given ? *given : current_cuda_stream();
}

std::vector<Stream> streams_argument(Call& call, std::string_view name) {
  std::vector<Stream> streams;
  for (const Value& item : call.arguments().items(name)) {
    const auto* const ref = item.get_if<Ref>();
    const auto stream = ref == nullptr ? nullptr : call.names().get(ref->name).as<Stream>();
    if (stream == nullptr) throw InvalidArgument("a list of references to streams was expected");
    streams.push_back(*stream);
  }
  return streams;
}

std::optional<MadeStream> made_stream(Call& call, std::string_view name) {
  const Object object = call.object(name);
  const auto stream = object.as<Stream>();
  if (stream == nullptr) return std::nullopt;
  const auto* const kind = std::ranges::find(kKinds, object.kind());
  const auto number = kind == kKinds.end() ? 0 : kind - kKinds.begin();
  return MadeStream{*stream, static_cast<StreamMaker>(number)};
}

void give_stream(Call& call, const Stream& stream, StreamMaker maker) {
  call.result(Object(std::make_shared<Stream>(stream), kKinds[static_cast<std::size_t>(maker)]));
  call.set("device", to_waist(stream.device, call.release()));
  call.set("id", stream.id);
}

Value value_of(const Stream& stream) {
  Dict dict;
  dict.items.emplace_back("device", to_waist(stream.device, Call::current().release()));
  dict.items.emplace_back("id", stream.id);
  return dict;
}

std::shared_ptr<AnyEvent> event_argument(Call& call, std::string_view name) {
  return call.held<AnyEvent>(name, "event");
}

void give_event(Call& call, std::shared_ptr<AnyEvent> event) {
  call.result(Object(std::move(event), "event"));
}

int int_argument(Call& call, std::string_view name, int fallback) {
  const std::int64_t value = call.arguments().integer(name, fallback);
  using Limits = std::numeric_limits<int>;
  if (value < Limits::min() || value > Limits::max()) {
    throw InvalidArgument("'" + std::string(name) + "' must be an int of 32 bits");
  }
  return static_cast<int>(value);
}

}  // namespace assay::cuda
