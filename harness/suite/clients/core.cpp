// Converts the typed calls of the area core on tensors to commands, and replies to results.
#include "harness/suite/clients/core.hpp"

#include <utility>

namespace assay {
namespace {

List list_of(const std::vector<std::int64_t>& numbers) {
  List list;
  for (const std::int64_t number : numbers) list.items.emplace_back(number);
  return list;
}

Shape shape_field(const Reply& reply, std::string_view name) {
  Shape shape;
  for (const Value& item : field_as<List>(reply, name).items) {
    const auto* number = item.get_if<std::int64_t>();
    if (number == nullptr) throw BadReply("'" + std::string(name) + "' should be a list of ints");
    shape.push_back(*number);
  }
  return shape;
}

std::optional<Device> device_field(const Reply& reply, std::string_view name) {
  if (field(reply, name).is_none()) return std::nullopt;
  return field_as<Device>(reply, name);
}

}  // namespace

CoreClient Session::core() { return CoreClient(*this); }

Ref CoreClient::named(std::string verb, Fields with) {
  Ref name{session_.fresh_name("t")};
  session_.send(std::move(verb), std::move(with), name.name);
  return name;
}

Digest CoreClient::digest_result(Command command) {
  const Reply reply = session_.send(std::move(command));
  if (session_.recording()) return {};
  const TensorValue& tensor = tensor_field(reply, "result");
  if (!tensor.digest) throw BadReply("a digest was asked for, and the tensor came without one");
  return *tensor.digest;
}

Ref CoreClient::leaf(const Value& value) {
  return named("core.tensor", {{"value", value}, {"requires_grad", true}});
}

Ref CoreClient::empty(const EmptyArguments& arguments) {
  Fields with = {{"shape", list_of(arguments.shape)}, {"dtype", arguments.dtype}};
  if (arguments.device) with.set("device", *arguments.device);
  return named("core.empty", std::move(with));
}

Digest CoreClient::digest(const Value& tensor, std::uint64_t block) {
  Command command;
  command.verb = "core.read";
  command.with = {{"tensor", tensor}};
  command.digest = block;
  return digest_result(std::move(command));
}

StorageInfo CoreClient::storage(const Value& tensor) {
  const Reply reply = session_.send("core.storage", {{"tensor", tensor}});
  if (session_.recording()) return {};
  return {tensor_field(reply, "result"), field_as<std::int64_t>(reply, "offset")};
}

TensorInfo CoreClient::info(const Value& tensor) {
  const Reply reply = session_.send("core.info", {{"tensor", tensor}});
  if (session_.recording()) return {};
  return {.dtype = field_as<Dtype>(reply, "dtype"),
          .shape = shape_field(reply, "shape"),
          .strides = shape_field(reply, "strides"),
          .device = device_field(reply, "device"),
          .numel = field_as<std::int64_t>(reply, "numel"),
          .dim = field_as<std::int64_t>(reply, "dim"),
          .offset = field_as<std::int64_t>(reply, "offset"),
          .contiguous = field_as<bool>(reply, "contiguous"),
          .dense = field_as<bool>(reply, "dense"),
          .defined = field_as<bool>(reply, "defined"),
          .null = field_as<bool>(reply, "null"),
          .version = field_as<std::int64_t>(reply, "version"),
          .requires_grad = field_as<bool>(reply, "requires_grad"),
          .leaf = field_as<bool>(reply, "leaf")};
}

Ref CoreClient::as_strided(const Value& tensor, const ViewArguments& view) {
  return named("core.as_strided", {{"tensor", tensor},
                                   {"shape", list_of(view.shape)},
                                   {"strides", list_of(view.strides)},
                                   {"offset", view.offset}});
}

Ref CoreClient::expand(const Value& tensor, const Shape& shape) {
  return named("core.expand", {{"tensor", tensor}, {"shape", list_of(shape)}});
}

Ref CoreClient::to(const Value& tensor, const ToArguments& how) {
  Fields with = {{"tensor", tensor}};
  if (how.dtype) with.set("dtype", *how.dtype);
  if (how.device) with.set("device", *how.device);
  if (how.copy) with.set("copy", *how.copy);
  if (how.non_blocking) with.set("non_blocking", *how.non_blocking);
  if (!how.memory_format.empty()) with.set("memory_format", how.memory_format);
  return named("core.to", std::move(with));
}

Digest CoreClient::convert_digest(const Value& tensor, Dtype dtype, std::uint64_t block) {
  Command command;
  command.verb = "core.to";
  command.with = {{"tensor", tensor}, {"dtype", dtype}};
  command.digest = block;
  return digest_result(std::move(command));
}

Ref CoreClient::copy_(const Value& dst, const Value& src, std::optional<bool> non_blocking) {
  Fields with = {{"dst", dst}, {"src", src}};
  if (non_blocking) with.set("non_blocking", *non_blocking);
  return named("core.copy_", std::move(with));
}

TensorValue CoreClient::op(const std::string& name, std::vector<Value> args, Dict kwargs) {
  Fields with = {{"name", name}, {"args", List{std::move(args)}}};
  if (!kwargs.items.empty()) with.set("kwargs", std::move(kwargs));
  return session_.read<TensorValue>("core.op", std::move(with));
}

Ref CoreClient::op_ref(const std::string& name, std::vector<Value> args, Dict kwargs) {
  Fields with = {{"name", name}, {"args", List{std::move(args)}}};
  if (!kwargs.items.empty()) with.set("kwargs", std::move(kwargs));
  return named("core.op", std::move(with));
}

}  // namespace assay
