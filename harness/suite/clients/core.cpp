// Implements what the typed client of the area core adds to the generated calls.
#include "harness/suite/clients/core.hpp"

namespace assay {
namespace {

Fields op_fields(const std::string& name, std::vector<Value> args, Dict kwargs) {
  Fields with = {{"name", name}, {"args", List{std::move(args)}}};
  if (!kwargs.items.empty()) with.set("kwargs", std::move(kwargs));
  return with;
}

}  // namespace

CoreClient Session::core() { return CoreClient(*this); }

StorageInfo StorageInfo::from(const Reply& reply) {
  return {field_to<TensorValue>(reply, "result"), field_to<std::int64_t>(reply, "offset")};
}

Digest CoreClient::digest_result(Command command) const {
  const Reply reply = session().send(std::move(command));
  if (session().recording()) return {};
  const TensorValue& tensor = tensor_field(reply, "result");
  if (!tensor.digest) throw BadReply("the tensor of the reply lacks the requested digest");
  return *tensor.digest;
}

Ref CoreClient::tensor(const Value& value) const {
  return make_object<Ref>("t", "core.tensor", {{"value", value}});
}

Ref CoreClient::leaf(const Value& value) const {
  return make_object<Ref>("t", "core.tensor", {{"value", value}, {"requires_grad", true}});
}

Ref CoreClient::empty(const EmptyArguments& arguments) const {
  Fields with;
  put(with, "shape", arguments.shape);
  put(with, "dtype", arguments.dtype);
  put(with, "device", arguments.device);
  return make_object<Ref>("t", "core.empty", std::move(with));
}

Digest CoreClient::digest(const Value& tensor, std::uint64_t block) const {
  Command command;
  command.verb = "core.read";
  command.with = {{"tensor", tensor}};
  command.digest = block;
  return digest_result(std::move(command));
}

bool CoreClient::null_data_ptr(const Value& tensor, Dtype dtype, const std::string& access) const {
  return read_field<bool>("core.data_ptr",
                          {{"tensor", tensor}, {"dtype", dtype}, {"access", access}}, "null");
}

Ref CoreClient::as_strided(const Value& tensor, const ViewArguments& view) const {
  Fields with{{"tensor", tensor}};
  put(with, "shape", view.shape);
  put(with, "strides", view.strides);
  put(with, "offset", view.offset);
  return make_object<Ref>("t", "core.as_strided", std::move(with));
}

TensorValue CoreClient::convert(const Value& tensor, Dtype dtype) const {
  return read_field<TensorValue>("core.to", {{"tensor", tensor}, {"dtype", dtype}});
}

Digest CoreClient::convert_digest(const Value& tensor, Dtype dtype, std::uint64_t block) const {
  Command command;
  command.verb = "core.to";
  command.with = {{"tensor", tensor}, {"dtype", dtype}};
  command.digest = block;
  return digest_result(std::move(command));
}

TensorValue CoreClient::op(const std::string& name, std::vector<Value> args, Dict kwargs) const {
  return read_field<TensorValue>("core.op", op_fields(name, std::move(args), std::move(kwargs)));
}

Ref CoreClient::op_ref(const std::string& name, std::vector<Value> args, Dict kwargs) const {
  return make_object<Ref>("t", "core.op", op_fields(name, std::move(args), std::move(kwargs)));
}

Block CoreClient::device_guard(const Device& device) const {
  Command command;
  command.verb = "core.device_guard";
  command.with = {{"device", device}};
  return {command};
}

Boxed CoreClient::ivalue(const Value& value) const {
  Ref name{session().fresh_name("v")};
  return {session().read<std::string>("core.ivalue", {{"value", value}}, "kind", name.name), name};
}

std::pair<Ref, std::string> CoreClient::ivalue_move(const Ref& ivalue) const {
  Ref name{session().fresh_name("v")};
  return {name, session().read<std::string>("core.ivalue_move", {{"ivalue", ivalue}}, "moved_from",
                                            name.name)};
}

}  // namespace assay
