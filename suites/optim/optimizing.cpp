// Helpers for optimizer cases.
#include "suites/optim/optimizing.hpp"

#include "harness/suite/clients/core.hpp"

namespace assay::suites {

Param::Param(Session& subject, const Value& value)
    : subject_(&subject), name_(subject.fresh_name("param")) {
  subject.send("core.tensor", {{"value", value}}, name_);
}

void Param::set_grad(Value grad) const {
  subject_->send("core.set_grad", {{"tensor", *this}, {"grad", std::move(grad)}});
}

TensorValue Param::read() const {
  return tensor_field(subject_->send("core.read", {{"tensor", *this}}), "result");
}

Value Param::grad() const {
  return field(subject_->send("core.grad", {{"tensor", *this}}), "result");
}

std::int64_t Param::version() const { return subject_->core().info(*this).version; }

Param param(Session& subject, double value, double grad) {
  Param made(subject, f32({value}));
  made.set_grad(f32({grad}));
  return made;
}

std::vector<std::string> modes(const Session& subject) {
  if (subject.contract().release == Release::k1_13) return {"plain", "foreach"};
  return {"plain", "foreach", "fused"};
}

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all = {"sgd", "adam", "adamw"};
  return all;
}

OptimizerHandle made(Session& subject, std::string_view kind, const std::vector<Value>& params,
                     const std::string& mode) {
  if (kind == "sgd") return subject.optim().sgd({.params = params, .lr = 0.25, .mode = mode});
  return subject.optim().adam(
      {.params = params, .lr = 0.25, .decoupled = kind == "adamw", .mode = mode});
}

Value entry(const Dict& dict, std::string_view name) {
  for (const auto& [key, value] : dict.items) {
    const auto* text = key.get_if<std::string>();
    if (text != nullptr && *text == name) return value;
  }
  return {};
}

Value state_of(const OptimizerHandle& optimizer, std::size_t index, std::string_view name) {
  const auto states = optimizer.state();
  if (index >= states.size()) throw BadReply("optim.state lacks a parameter");
  return entry(states[index], name);
}

double number_in(const Value& value) {
  if (const double* real = value.get_if<double>()) return *real;
  if (const auto* whole = value.get_if<std::int64_t>()) return static_cast<double>(*whole);
  if (const TensorValue* tensor = value.tensor()) return tensor->real_at(0);
  throw BadReply("a number was expected, not a " + std::string(kind_of(value)));
}

}  // namespace assay::suites
