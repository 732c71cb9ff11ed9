// Implements what the typed client of the area autocast adds to the generated calls.
#include "harness/suite/clients/autocast.hpp"

namespace assay {
namespace {

Fields fields_of(const RegionOptions& options) {
  Fields with;
  put(with, "device", options.device);
  put(with, "dtype", options.dtype);
  put(with, "enabled", options.enabled);
  put(with, "cache_enabled", options.cache_enabled);
  put(with, "cuda_available", options.cuda_available);
  put(with, "bf16_supported", options.bf16_supported);
  return with;
}

}  // namespace

std::int64_t AutocastClient::stat(std::string_view name) const {
  return read_field<std::int64_t>("autocast.stats", {}, name);
}

Value AutocastClient::cached_cast(Dtype to, const Value& value, const Type& device,
                                  std::string as) const {
  return session().read<Value>("autocast.cached_cast",
                               {{"to", to}, {"value", value}, {"device", device}}, "result",
                               std::move(as));
}

Dtype AutocastClient::set_opt_dtype(Dtype to, const std::optional<Dtype>& dtype) const {
  return read_field<Dtype>("autocast.set_opt_dtype",
                           {{"to", to}, {"dtype", dtype ? Value(*dtype) : Value()}});
}

RegionHandle AutocastClient::construct(const RegionOptions& options) const {
  return make_object<RegionHandle>("autocast", "autocast.construct", fields_of(options));
}

Block AutocastClient::region(const RegionOptions& options) const {
  Command command;
  command.verb = "autocast.region";
  command.with = fields_of(options);
  return {std::move(command)};
}

Value AutocastClient::call(const Value& function, std::vector<Value> args) const {
  return read_field<Value>("autocast.call",
                           {{"function", function}, {"args", List{std::move(args)}}});
}

Ref AutocastClient::call_ref(const Value& function, std::vector<Value> args) const {
  return make_object<Ref>("autocast", "autocast.call",
                          {{"function", function}, {"args", List{std::move(args)}}});
}

AutocastClient Session::autocast() { return AutocastClient(*this); }

}  // namespace assay
