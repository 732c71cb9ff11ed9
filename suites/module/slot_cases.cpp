// Slots of a module by name: which names are taken, and paths of several children (MOVE-14).
#include "suites/module/moving.hpp"

namespace assay::suites {

CASES("module/slots") {
  conformance(
      "a_buffer_or_a_child_takes_the_place_of_its_predecessor", {"MOVE-14"}, [](Session& subject) {
        const ModuleHandle module = subject.modules().plain();
        module.set_buffer("b", f32({1}));
        module.set_child("c", subject.modules().relu());

        module.set_buffer("b", f32({2}));
        module.set_child("c", subject.modules().linear(shaped(f32({3}), {1, 1})));

        expect_bits(subject.core().read(module.buffer("b")), f32({2}));
        expect_bits(subject.core().read(module.parameter("c.weight")), shaped(f32({3}), {1, 1}));
        expect_error([&] { module.set_buffer("c", f32({1})); }, ErrorKind::kKey,
                     {"already exists"});
        expect_error([&] { module.set_child("b", subject.modules().relu()); }, ErrorKind::kKey,
                     {"already exists"});
      });

  conformance("a_path_leads_through_several_children", {"MOVE-14"}, [](Session& subject) {
    const ModuleHandle outer = subject.modules().plain();
    const ModuleHandle middle = subject.modules().plain();
    const ModuleHandle inner = subject.modules().plain();
    for (const auto& [module, value] : std::vector<std::pair<const ModuleHandle*, double>>{
             {&outer, 1}, {&middle, 2}, {&inner, 3}}) {
      module->set_buffer("here", f32({value}));
    }
    middle.set_child("b", inner);
    outer.set_child("a", middle);

    expect_bits(subject.core().read(outer.buffer("here")), f32({1}));
    expect_bits(subject.core().read(outer.buffer("a.here")), f32({2}));
    expect_bits(subject.core().read(outer.buffer("a.b.here")), f32({3}));
    expect_error([&] { outer.buffer("a.c.here"); }, ErrorKind::kAttribute);
    expect_error([&] { outer.attribute("a.b.elsewhere"); }, ErrorKind::kAttribute);
  });

  conformance("a_linear_without_its_weight_is_refused", {"MOVE-14"}, [](Session& subject) {
    const ModuleHandle module = subject.modules().linear(shaped(f32({1, 1}), {1, 2}));
    const Value pair = shaped(f32({1, 2}), {1, 2});
    module.set_parameter("weight", Value());
    expect_error([&] { module.forward({pair}); }, ErrorKind::kType);
    module.set_parameter("weight", shaped(f32({1, 2}), {1, 2}));
    expect_bits(module.forward({pair}), shaped(f32({5}), {1, 1}));
  });

  conformance(
      "a_forward_takes_as_many_inputs_as_the_module_has", {"MOVE-14"}, [](Session& subject) {
        const Value one = f32({1});
        const Value pair = shaped(f32({1, 2}), {1, 2});
        const std::vector<ModuleHandle> of_one = {
            subject.modules().linear(shaped(f32({1, 1}), {1, 2})), subject.modules().relu()};
        for (const ModuleHandle& module : of_one) {
          expect_error([&] { module.forward({pair, pair}); }, ErrorKind::kType);
          expect_error([&] { module.forward({}); }, ErrorKind::kType);
          module.forward({pair});
        }
        const ModuleHandle loss = subject.modules().mse_loss();
        expect_error([&] { loss.forward({one}); }, ErrorKind::kType);
        expect_error([&] { loss.forward({one, one, one}); }, ErrorKind::kType);
        loss.forward({one, one});
      });
}

}  // namespace assay::suites
