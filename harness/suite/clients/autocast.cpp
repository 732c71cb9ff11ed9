// Implements the typed client of the area autocast.
#include "harness/suite/clients/autocast.hpp"

#include <utility>

namespace assay {
namespace {

Fields on_device(const std::optional<std::string>& device, Fields with = {}) {
  if (device) with.set("device", *device);
  return with;
}

Fields fields_of(const RegionOptions& options) {
  Fields with;
  const auto set = [&with](const char* name, const auto& option) {
    if (option) with.set(name, *option);
  };
  set("device", options.device);
  set("dtype", options.dtype);
  set("enabled", options.enabled);
  set("cache_enabled", options.cache_enabled);
  set("cuda_available", options.cuda_available);
  set("bf16_supported", options.bf16_supported);
  return with;
}

}  // namespace

Value RegionHandle::enter() const {
  return session_->read<Value>("autocast.enter", {{"region", *this}});
}

void RegionHandle::exit() const { session_->send("autocast.exit", {{"region", *this}}); }

Ref AutocastClient::named(std::string verb, Fields with) const {
  Ref name{session_->fresh_name("autocast")};
  session_->send(std::move(verb), std::move(with), name.name);
  return name;
}

std::string AutocastClient::key(const Type& device) const {
  return session_->read<std::string>("autocast.key", {{"device", device}});
}

bool AutocastClient::is_available(const Type& device) const {
  return session_->read<bool>("autocast.is_available", {{"device", device}});
}

bool AutocastClient::is_enabled(const std::optional<Type>& device) const {
  return session_->read<bool>("autocast.is_enabled", on_device(device));
}

void AutocastClient::set_enabled(bool value, const std::optional<Type>& device) const {
  session_->send("autocast.set_enabled", on_device(device, {{"value", value}}));
}

Dtype AutocastClient::dtype(const std::optional<Type>& device) const {
  return session_->read<Dtype>("autocast.dtype", on_device(device));
}

void AutocastClient::set_dtype(Dtype dtype, const std::optional<Type>& device) const {
  session_->send("autocast.set_dtype", on_device(device, {{"dtype", dtype}}));
}

bool AutocastClient::is_any_enabled() const {
  return session_->read<bool>("autocast.is_any_enabled", {});
}

std::int64_t AutocastClient::nesting(std::int64_t by) const {
  return session_->read<std::int64_t>("autocast.nesting", {{"by", by}});
}

bool AutocastClient::is_cache_enabled() const {
  return session_->read<bool>("autocast.is_cache_enabled", {});
}

void AutocastClient::set_cache_enabled(bool value) const {
  session_->send("autocast.set_cache_enabled", {{"value", value}});
}

void AutocastClient::clear_cache() const { session_->send("autocast.clear_cache"); }

std::int64_t AutocastClient::stat(std::string_view name) const {
  return session_->read<std::int64_t>("autocast.stats", {}, name);
}

void AutocastClient::static_output(const Value& tensor, bool value) const {
  session_->send("autocast.static_output", {{"tensor", tensor}, {"value", value}});
}

bool AutocastClient::is_eligible(const Value& tensor, const Type& device) const {
  return session_->read<bool>("autocast.is_eligible", {{"tensor", tensor}, {"device", device}});
}

Value AutocastClient::cached_cast(Dtype to, const Value& value, const Type& device,
                                  std::string as) const {
  const Reply reply = session_->send(
      "autocast.cached_cast", {{"to", to}, {"value", value}, {"device", device}}, std::move(as));
  return session_->recording() ? Value() : field(reply, "result");
}

Dtype AutocastClient::prioritize(Dtype current, const Value& value, const Type& device) const {
  return session_->read<Dtype>("autocast.prioritize",
                               {{"current", current}, {"value", value}, {"device", device}});
}

Dtype AutocastClient::promote_type(Dtype start, const Type& device, std::vector<Value> args) const {
  return session_->read<Dtype>(
      "autocast.promote_type",
      {{"start", start}, {"device", device}, {"args", List{std::move(args)}}});
}

Dtype AutocastClient::set_opt_dtype(Dtype to, const std::optional<Dtype>& dtype) const {
  return session_->read<Dtype>("autocast.set_opt_dtype",
                               {{"to", to}, {"dtype", dtype ? Value(*dtype) : Value()}});
}

bool AutocastClient::first_is_eligible(const Type& device, std::vector<Value> args) const {
  return session_->read<bool>("autocast.first_is_eligible",
                              {{"device", device}, {"args", List{std::move(args)}}});
}

Dtype AutocastClient::type_from_first(const Type& device, Dtype to, std::vector<Value> args) const {
  return session_->read<Dtype>("autocast.type_from_first",
                               {{"device", device}, {"to", to}, {"args", List{std::move(args)}}});
}

std::vector<std::string> AutocastClient::rules(const Type& device) const {
  std::vector<std::string> texts;
  for (const Value& item : session_->read<List>("autocast.rules", {{"device", device}}).items) {
    const auto* text = item.get_if<std::string>();
    if (text == nullptr) throw BadReply("a rule should be a text");
    texts.push_back(*text);
  }
  return texts;
}

Ref AutocastClient::wrap(std::string policy, std::string op, const Type& device,
                         std::string to) const {
  Fields with{{"policy", std::move(policy)}, {"op", std::move(op)}, {"device", device}};
  if (!to.empty()) with.set("to", std::move(to));
  return named("autocast.wrap", std::move(with));
}

Ref AutocastClient::register_op(std::string op, const Value& device, Dtype dtype) const {
  return named("autocast.register", {{"op", std::move(op)}, {"device", device}, {"dtype", dtype}});
}

RegionHandle AutocastClient::construct(const RegionOptions& options) const {
  return {*session_, named("autocast.construct", fields_of(options)).name};
}

Block AutocastClient::region(const RegionOptions& options) const {
  Command command;
  command.verb = "autocast.region";
  command.with = fields_of(options);
  return {std::move(command)};
}

Ref AutocastClient::decorate(const RegionHandle& region, const Value& function) const {
  return named("autocast.decorate", {{"region", region}, {"function", function}});
}

Value AutocastClient::call(const Value& function, std::vector<Value> args) const {
  return session_->read<Value>("autocast.call",
                               {{"function", function}, {"args", List{std::move(args)}}});
}

Ref AutocastClient::call_ref(const Value& function, std::vector<Value> args) const {
  return named("autocast.call", {{"function", function}, {"args", List{std::move(args)}}});
}

AutocastClient Session::autocast() { return AutocastClient(*this); }

}  // namespace assay
