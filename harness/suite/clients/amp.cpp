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

/// While a block is being recorded, replies are empty.
bool is_recorded(const Reply& reply) { return reply.succeeded() && reply.ok.empty(); }

Value value_or_none(const Reply& reply, std::string_view name) {
  const Value* found = reply.ok.find(name);
  return found == nullptr ? Value{} : *found;
}

std::vector<TensorValue> tensors_field(const Reply& reply, std::string_view name) {
  std::vector<TensorValue> tensors;
  for (const Value& item : field_as<List>(reply, name).items) {
    const TensorValue* tensor = item.tensor();
    if (tensor == nullptr) {
      throw BadReply("expected '" + std::string(name) + "' to hold tensors by value, got " +
                     std::string(kind_of(item)));
    }
    tensors.push_back(*tensor);
  }
  return tensors;
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
  const Reply reply = session_.send(std::move(command));
  if (is_recorded(reply)) return {};
  UnscaleResult result;
  result.grads = tensors_field(reply, "grads");
  result.found_inf = field(reply, "found_inf");
  if (reply.ok.has("result")) result.result = tensors_field(reply, "result");
  result.result_found_inf = value_or_none(reply, "result_found_inf");
  return result;
}

UpdateScaleResult AmpClient::update_scale(const UpdateScaleArguments& arguments) {
  Fields fields = {{"scale", arguments.scale},         {"tracker", arguments.tracker},
                   {"found_inf", arguments.found_inf}, {"growth", arguments.growth},
                   {"backoff", arguments.backoff},     {"interval", arguments.interval}};
  const Reply reply = session_.send(
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
  const Reply reply = session_.send("amp.unscale_and_update", {{"grads", List{arguments.grads}},
                                                               {"found_inf", arguments.found_inf},
                                                               {"inv_scale", arguments.inv_scale},
                                                               {"scale", arguments.scale},
                                                               {"tracker", arguments.tracker},
                                                               {"growth", arguments.growth},
                                                               {"backoff", arguments.backoff},
                                                               {"interval", arguments.interval}});
  if (is_recorded(reply)) return {};
  return {tensors_field(reply, "grads"), field(reply, "found_inf"), field(reply, "scale"),
          field(reply, "tracker")};
}

std::vector<std::string> AmpClient::schemas() {
  const Reply reply = session_.send("amp.schemas");
  if (is_recorded(reply)) return {};
  std::vector<std::string> texts;
  for (const Value& item : field_as<List>(reply, "result").items) {
    const auto* text = item.get_if<std::string>();
    if (text == nullptr) throw BadReply("expected schemas as text");
    texts.push_back(*text);
  }
  return texts;
}

std::vector<std::int64_t> AmpClient::plan(const PlanArguments& arguments) {
  List counts;
  for (const std::int64_t count : arguments.counts) counts.items.emplace_back(count);
  const Reply reply = session_.send("amp.plan", {{"counts", counts},
                                                 {"most_tensors", arguments.most_tensors},
                                                 {"most_blocks", arguments.most_blocks}});
  if (is_recorded(reply)) return {};
  std::vector<std::int64_t> blocks;
  for (const Value& item : field_as<List>(reply, "result").items) {
    const auto* count = item.get_if<std::int64_t>();
    if (count == nullptr) throw BadReply("expected blocks of each launch as integers");
    blocks.push_back(*count);
  }
  return blocks;
}

}  // namespace assay
