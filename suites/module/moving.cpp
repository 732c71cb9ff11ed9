// Helpers for module cases.
#include "suites/module/moving.hpp"

namespace assay::suites {

MixedModule mixture(Session& subject) {
  const ModuleHandle module = subject.modules().plain();
  const Ref complex = subject.core().empty({.shape = {2}, .dtype = Dtype::kComplex64});
  const Ref real = module.set_parameter("w", f32({1.5, -2}));
  const Ref integral = module.set_parameter("i", i64({3}));
  const Ref complex_parameter = module.set_parameter("c", complex);
  const Ref real_buffer = module.set_buffer("b", f32({0.25}));
  return {.module = module,
          .real = real,
          .integral = integral,
          .complex = complex_parameter,
          .real_buffer = real_buffer,
          .integral_buffer = module.set_buffer("bi", i32({7}))};
}

Single single(Session& subject, const ParameterOptions& how) {
  const ModuleHandle module = subject.modules().plain();
  return {.module = module, .parameter = module.set_parameter("w", f32({1, 2}), how)};
}

Callable function(Session& subject, const std::function<void(Session&)>& program) {
  return subject.callback(subject.fresh_name("function"), subject.block(program));
}

Callable doubling(Session& subject) {
  return function(subject, [](Session& inside) {
    inside.send("core.op", {{"name", "mul"}, {"args", List{{Ref{"$0"}, 2.0}}}});
  });
}

Callable casting_all_but_scalars(Session& subject) {
  return function(subject, [](Session& inside) {
    inside.send("core.size", {{"tensor", Ref{"$0"}}, {"dim", 0}});
    inside.send("core.to", {{"tensor", Ref{"$0"}}, {"dtype", Dtype::kFloat64}});
  });
}

Ref grad_of(Session& subject, const Ref& tensor) {
  const std::string name = subject.fresh_name("grad");
  subject.send("core.grad", {{"tensor", tensor}}, name);
  return {name};
}

Ref give_grad(Session& subject, const Ref& tensor, const Value& grad) {
  const Ref made = subject.core().tensor(grad);
  subject.core().set_grad(tensor, made);
  return made;
}

Dtype dtype_of(Session& subject, const Ref& tensor) { return subject.core().info(tensor).dtype; }

void expect_dtype(Session& subject, const Ref& tensor, Dtype wanted, Where where) {
  expect_equal(std::string(name_of(dtype_of(subject, tensor))), std::string(name_of(wanted)),
               where);
}

void expect_device(Session& subject, const Ref& tensor, const Device& wanted, Where where) {
  const TensorInfo info = subject.core().info(tensor);
  expect_true(info.device.has_value(), "the tensor has a device", where);
  expect_equal(to_text(*info.device), to_text(wanted), where);
}

void expect_kept(Session& subject, const Ref& before, const Ref& now, Where where) {
  expect_true(subject.same(before.name, now.name), "it is the object from before", where);
}

void expect_replaced(Session& subject, const Ref& before, const Ref& now, Where where) {
  expect_false(subject.same(before.name, now.name), "it is a new object", where);
}

}  // namespace assay::suites
