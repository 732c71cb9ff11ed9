// Converts the typed calls of the area amp to commands, and replies to results.
#include "harness/suite/clients/amp.hpp"

#include <utility>

namespace assay {

namespace {

Fields with_options(Fields fields, const std::string& variant, const std::string& route,
                    const std::optional<Device>& device) {
  if (!variant.empty()) fields.set("variant", variant);
  if (!route.empty()) fields.set("route", route);
  if (device) fields.set("device", *device);
  return fields;
}

using Tensors = std::vector<TensorValue>;

/// While a block is being recorded, replies are empty.
bool is_recorded(const Reply& reply) { return reply.succeeded() && reply.ok.empty(); }

Value value_or_none(const Reply& reply, std::string_view name) {
  const Value* found = reply.ok.find(name);
  return found == nullptr ? Value{} : *found;
}

}  // namespace

AmpClient Session::amp() { return AmpClient(*this); }

bool UpdateScaleResult::same() const {
  return is_recorded(reply) ? false : field_as<bool>(reply, "same");
}

UnscaleResult AmpClient::unscale(const UnscaleArguments& arguments) {
  Fields fields;
  fields.set("grads", arguments.in_place_of_grads.value_or(List{arguments.grads}));
  fields.set("found_inf", arguments.found_inf);
  fields.set("inv_scale", arguments.inv_scale);
  Command command;
  command.verb = "amp.unscale";
  command.with =
      with_options(std::move(fields), arguments.variant, arguments.route, arguments.device);
  command.digest = arguments.digest;
  const Reply reply = session().send(std::move(command));
  if (is_recorded(reply)) return {};
  UnscaleResult result;
  result.grads = field_to<Tensors>(reply, "grads");
  result.found_inf = field(reply, "found_inf");
  if (reply.ok.has("result")) result.result = field_to<Tensors>(reply, "result");
  result.result_found_inf = value_or_none(reply, "result_found_inf");
  return result;
}

UpdateScaleResult AmpClient::update_scale(const UpdateScaleArguments& arguments) {
  Fields fields = {{"scale", arguments.scale},         {"tracker", arguments.tracker},
                   {"found_inf", arguments.found_inf}, {"growth", arguments.growth},
                   {"backoff", arguments.backoff},     {"interval", arguments.interval}};
  const Reply reply = session().send(
      "amp.update_scale",
      with_options(std::move(fields), arguments.variant, arguments.route, arguments.device));
  if (is_recorded(reply)) return {};
  UpdateScaleResult result;
  result.scale = field(reply, "scale");
  result.tracker = field(reply, "tracker");
  result.found_inf = field(reply, "found_inf");
  result.result = value_or_none(reply, "result");
  result.result_tracker = value_or_none(reply, "result_tracker");
  result.reply = reply;
  return result;
}

UnscaleAndUpdateResult AmpClient::unscale_and_update(const UnscaleAndUpdateArguments& arguments) {
  const Reply reply = session().send("amp.unscale_and_update", {{"grads", List{arguments.grads}},
                                                                {"found_inf", arguments.found_inf},
                                                                {"inv_scale", arguments.inv_scale},
                                                                {"scale", arguments.scale},
                                                                {"tracker", arguments.tracker},
                                                                {"growth", arguments.growth},
                                                                {"backoff", arguments.backoff},
                                                                {"interval", arguments.interval}});
  if (is_recorded(reply)) return {};
  return {field_to<Tensors>(reply, "grads"), field(reply, "found_inf"), field(reply, "scale"),
          field(reply, "tracker")};
}

std::vector<std::int64_t> AmpClient::plan(const PlanArguments& arguments) {
  Fields with;
  put(with, "counts", arguments.counts);
  put(with, "most_tensors", arguments.most_tensors);
  put(with, "most_blocks", arguments.most_blocks);
  return read_field<std::vector<std::int64_t>>("amp.plan", std::move(with));
}

}  // namespace assay
