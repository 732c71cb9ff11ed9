// Commands that need several Python statements.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/program/python/forms.hpp"
#include "harness/program/python/writer.hpp"

namespace assay::python {
namespace {

const Value& argument(const Command& command, std::string_view name) {
  const Value* found = command.with.find(name);
  if (found == nullptr) throw NoForm(fmt::format("without '{}'", name));
  return *found;
}

void refuse_others(const Command& command, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : command.with) {
    bool is_known = false;
    for (const std::string_view one : known) is_known = is_known || one == name;
    if (!is_known) throw NoForm(fmt::format("its argument '{}'", name));
  }
}

/// A tensor for the operator, and how its result is written: if the argument was a number, the
/// result is read as a number.
struct Operand {
  std::string name;
  std::string shown;
};

Operand operand(Writer& writer, const Value& given, std::string_view prefix, Dtype dtype) {
  if (const auto* ref = given.get_if<Ref>()) return {variable(ref->name), variable(ref->name)};
  const std::string name = writer.fresh(prefix);
  const bool is_number = given.is<double>() || given.is<std::int64_t>();
  if (!is_number && given.tensor() == nullptr) return {writer.expression(given), "None"};
  if (is_number) {
    writer.line(fmt::format("{} = torch.tensor({}, dtype=torch.{})", name, writer.expression(given),
                            name_of(dtype)));
    return {name, name + ".item()"};
  }
  writer.line(fmt::format("{} = {}", name, writer.expression(given)));
  return {name, name};
}

void update_scale(Writer& writer, const Command& command, const Reply* reply) {
  refuse_others(command, {"scale", "tracker", "found_inf", "growth", "backoff", "interval"});
  const Operand scale = operand(writer, argument(command, "scale"), "scale", Dtype::kFloat32);
  const Operand tracker = operand(writer, argument(command, "tracker"), "tracker", Dtype::kInt32);
  const Operand found =
      operand(writer, argument(command, "found_inf"), "found_inf", Dtype::kFloat32);
  writer.line(fmt::format("torch._amp_update_scale_({}, {}, {}, {}, {}, {})", scale.name,
                          tracker.name, found.name, writer.expression(argument(command, "growth")),
                          writer.expression(argument(command, "backoff")),
                          writer.expression(argument(command, "interval"))));
  writer.check(command, reply, "scale", scale.shown);
  writer.check(command, reply, "tracker", tracker.shown);
  writer.check(command, reply, "found_inf", found.shown);
}

void unscale(Writer& writer, const Command& command, const Reply* reply) {
  refuse_others(command, {"grads", "found_inf", "inv_scale"});
  const auto* list = argument(command, "grads").get_if<List>();
  if (list == nullptr) throw NoForm("gradients that are not a list");
  std::string grads;
  for (const Value& grad : list->items) {
    const Operand one = operand(writer, grad, "grad", Dtype::kFloat32);
    grads += (grads.empty() ? "" : ", ") + one.name;
  }
  const Operand found =
      operand(writer, argument(command, "found_inf"), "found_inf", Dtype::kFloat32);
  const Operand inverse =
      operand(writer, argument(command, "inv_scale"), "inv_scale", Dtype::kFloat32);
  const std::string name = writer.fresh("grads");
  writer.line(fmt::format("{} = [{}]", name, grads));
  writer.line(fmt::format("torch._amp_foreach_non_finite_check_and_unscale_({}, {}, {})", name,
                          found.name, inverse.name));
  writer.check(command, reply, "grads", name);
  writer.check(command, reply, "found_inf", found.shown);
}

void parameter(Writer& writer, const Command& command, const std::string& module,
               const char* name) {
  const Value* given = command.with.find(name);
  if (given == nullptr || given->is_none()) {
    return writer.line(fmt::format("{}.{} = None", module, name));
  }
  writer.line(
      fmt::format("named_parameter({}, \"{}\", {})", module, name, writer.expression(*given)));
}

void new_module(Writer& writer, const Command& command) {
  refuse_others(command, {"kind", "weight", "bias", "modules"});
  const Value* given = command.with.find("kind");
  const auto* word = given == nullptr ? nullptr : given->get_if<std::string>();
  const std::string kind = word == nullptr ? "plain" : *word;
  const std::string name = variable(command.as);
  if (kind == "linear") {
    writer.line(name + " = torch.nn.Linear(1, 1)");
    parameter(writer, command, name, "weight");
    return parameter(writer, command, name, "bias");
  }
  if (kind == "sequential") {
    return writer.line(fmt::format("{} = torch.nn.Sequential(*{})", name,
                                   writer.expression(argument(command, "modules"))));
  }
  writer.line(fmt::format("{} = torch.nn.{}()", name,
                          kind == "relu"       ? "ReLU"
                          : kind == "mse_loss" ? "MSELoss"
                                               : "Module"));
}

/// A name of Python's that no object has of itself, as it has `__init__`.
bool is_plain_name(std::string_view name) {
  return is_identifier(name) && name.find("__") == std::string_view::npos;
}

/// A namespace, a name and possibly an overload, and nothing else: a further part would be an
/// attribute of any object, and its call anything.
void refuse_other_than_operators(std::string_view space, std::string_view name) {
  constexpr std::array kOfTorchOps = {"import_module", "load_library", "loaded_libraries"};
  const bool is_space =
      is_plain_name(space) && std::ranges::find(kOfTorchOps, space) == kOfTorchOps.end();
  const std::size_t dot = name.find('.');
  const bool is_name = is_plain_name(name.substr(0, dot));
  const bool is_overload = dot == std::string_view::npos || is_plain_name(name.substr(dot + 1));
  if (!is_space || !is_name || !is_overload) {
    throw NoForm("an operator whose name is not one in Python");
  }
}

/// `aten::mm.out` becomes `torch.ops.aten.mm.out`.
void call(Writer& writer, const Command& command, const Reply* reply) {
  refuse_others(command, {"op", "args", "kwargs"});
  const auto* op = argument(command, "op").get_if<std::string>();
  const std::size_t colons = op == nullptr ? std::string::npos : op->find("::");
  if (colons == std::string::npos) throw NoForm("an operator that is an object");
  const std::string space = op->substr(0, colons);
  const std::string operation = op->substr(colons + 2);
  refuse_other_than_operators(space, operation);
  const std::string path = "torch.ops." + space + "." + operation;
  Command plain = command;
  plain.with = {};
  for (const auto& [name, value] : command.with) {
    if (name != "op") plain.with.set(name, value);
  }
  const std::string made = path + filled("({*args}[, {**kwargs}])", plain, writer.on_cuda());
  const std::string name = command.as.empty() ? writer.fresh("result") : variable(command.as);
  writer.line(fmt::format("{} = {}", name, made));
  const Value* result = reply == nullptr ? nullptr : reply->ok.find("result");
  // The arguments of an operator determine the type of its result, which such cases test.
  if (result == nullptr || result->tensor() == nullptr) return;
  writer.line(fmt::format("check(\"{0}.dtype\", {0}.dtype, torch.{1})", name,
                          name_of(result->tensor()->dtype)));
}

void raise(Writer& writer, const Command& command) {
  refuse_others(command, {"kind", "message"});
  const auto* word = argument(command, "kind").get_if<std::string>();
  const auto kind = word == nullptr ? std::nullopt : error_kind_named(*word);
  if (!kind) throw NoForm("no such kind of error");
  writer.line(fmt::format("raise {}({})", class_of(*kind),
                          writer.expression(argument(command, "message"))));
}

}  // namespace

bool write_special(Writer& writer, const Command& command, const Reply* reply) {
  if (command.verb == "amp.update_scale") {
    update_scale(writer, command, reply);
  } else if (command.verb == "amp.unscale") {
    unscale(writer, command, reply);
  } else if (command.verb == "module.new") {
    new_module(writer, command);
  } else if (command.verb == "dispatch.call") {
    call(writer, command, reply);
  } else if (command.verb == "raise") {
    raise(writer, command);
  } else {
    return false;
  }
  return true;
}

}  // namespace assay::python
