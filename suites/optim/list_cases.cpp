// Lists that change between steps: nothing is remembered of an earlier list.
#include "harness/suite/clients/module.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

/// Both optimizers with rate 0.25, whose first step from 1 depends on the gradient alone.
std::vector<std::pair<const char*, OptimizerHandle>> exact(Session& subject,
                                                           const std::vector<Value>& params,
                                                           const std::string& mode) {
  return {{"sgd", subject.optim().sgd({.params = params, .lr = 0.25, .mode = mode})},
          {"adam",
           subject.optim().adam(
               {.params = params, .lr = 0.25, .betas = {{0.0, 0.0}}, .eps = 0.0, .mode = mode})}};
}

}  // namespace

CASES("optim/lists") {
  conformance("gradients_that_replace_others", {"OPT-021"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param params[] = {param(subject, 1, 0), param(subject, 1, 0)};
      for (const auto& [name, optimizer] : exact(subject, {params[0], params[1]}, mode)) {
        const ScopedTrace which(name);
        for (const double sign : {1.0, -1.0, 1.0, -1.0}) {
          params[0].set_grad(f32({sign}));
          params[1].set_grad(f32({-sign}));
          optimizer.step();
          expect_bits(params[0].read(), f32({sign > 0 ? 0.75 : 1}));
          expect_bits(params[1].read(), f32({sign > 0 ? 1.25 : 1}));
        }
      }
    }
  });

  conformance("the_same_gradients_change_places", {"OPT-021"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      for (const bool has_moments : {false, true}) {
        const Param params[] = {param(subject, 1, 0), param(subject, 1, 0)};
        const Param grads[] = {Param(subject, f32({1})), Param(subject, f32({-1}))};
        const auto optimizer =
            exact(subject, {params[0], params[1]}, mode).at(has_moments ? 1 : 0).second;
        for (const bool are_swapped : {false, true}) {
          params[0].set_grad(grads[are_swapped ? 1 : 0]);
          params[1].set_grad(grads[are_swapped ? 0 : 1]);
          optimizer.step();
          expect_bits(params[0].read(), f32({are_swapped ? 1 : 0.75}));
          expect_bits(params[1].read(), f32({are_swapped ? 1 : 1.25}));
        }
      }
    }
  });

  conformance("a_state_that_is_loaded_between_steps", {"OPT-021", "OPT-012"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const auto begun = [&](double grad) {
        const auto optimizer = subject.optim().adam(
            {.params = {param(subject, 1, grad)}, .betas = {{0.5, 0.75}}, .mode = mode});
        optimizer.step();
        return optimizer;
      };
      const auto optimizer = begun(1);
      const auto other = begun(4);

      optimizer.load_state_dict(other.state_dict().ref);
      optimizer.step();

      expect_bits(state_of(optimizer, 0, "exp_avg"), f32({1.5}));
    }
  });

  conformance("a_module_that_changes_its_type", {"OPT-021"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const auto model = subject.modules().plain();
      const Ref weight = model.set_parameter("weight", f32({1}));
      const Param trained = Param::named(subject, weight.name);
      const auto optimizer = subject.optim().sgd({.params = {trained}, .lr = 0.25, .mode = mode});
      trained.set_grad(f32({2}));
      optimizer.step();

      model.move("double");
      trained.set_grad(f64({0x1p-40}));
      optimizer.step();

      expect_bits(trained.read(), f64({0.5 - 0x1p-42}));
    }
  });
}

}  // namespace assay::suites
