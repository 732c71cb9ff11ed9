// Helpers for autograd cases.
#include "suites/autograd/graph.hpp"

#include <utility>

namespace assay::suites::graph {

TensorValue values(Dtype dtype, std::vector<std::int64_t> shape,
                   const std::vector<double>& elements) {
  return shaped(tensor_of(dtype, elements), std::move(shape));
}

TensorValue square(Dtype dtype, const std::vector<double>& elements) {
  return values(dtype, {2, 2}, elements);
}

Ref leaf(Session& subject, const TensorValue& value) { return subject.core().leaf(value); }

Ref call(Session& subject, const std::string& op, std::vector<Value> args) {
  Ref name{subject.fresh_name("out")};
  subject.send("dispatch.call", {{"op", op}, {"args", List{std::move(args)}}}, name.name);
  return name;
}

Command calling(const std::string& op, std::vector<Value> args, std::string as) {
  Command command;
  command.verb = "dispatch.call";
  command.with = {{"op", op}, {"args", List{std::move(args)}}};
  command.as = std::move(as);
  return command;
}

Command giving(Value value) {
  Command command;
  command.verb = "value";
  command.with = {{"value", std::move(value)}};
  return command;
}

bool requires_grad(Session& subject, const Value& tensor) {
  return field_as<bool>(subject.send("core.info", {{"tensor", tensor}}), "requires_grad");
}

void expect_grad(Session& subject, const Value& leaf, const TensorValue& wanted, Where where) {
  expect_bits(subject.core().grad(leaf), wanted, where);
}

std::vector<Reply> with_grad_mode(Session& subject, bool value,
                                  const std::function<void(Session&)>& program) {
  return subject.scope(subject.autograd().grad_mode(value), subject.block(program));
}

}  // namespace assay::suites::graph
