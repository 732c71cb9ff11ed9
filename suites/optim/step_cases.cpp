// What a step reads, writes and counts, and its implementations.
#include "harness/suite/clients/autograd.hpp"
#include "harness/suite/clients/core.hpp"
#include "harness/suite/itself.hpp"
#include "harness/suite/mistake.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {
OptimizerHandle nesterov(Session& subject, const Param& trained, const std::string& mode) {
  return subject.optim().sgd(
      {.params = {trained}, .lr = 0.25, .momentum = 0.5, .nesterov = true, .mode = mode});
}

OptimizerHandle decayed_adam(Session& subject, const Param& trained, const std::string& mode) {
  return subject.optim().adam({.params = {trained}, .lr = 0.25, .weight_decay = 0.5, .mode = mode});
}

}  // namespace

CASES("optim/step") {
  conformance(
      "a_parameter_of_inference_mode_is_written_and_then_refused", {"OPT-005", "CORE-14"},
      [](Session& subject) {
        for (const bool is_sgd : {true, false}) {
          for (const std::string& mode : modes(subject)) {
            if (mode == "fused") continue;
            const ScopedTrace at((is_sgd ? "sgd, " : "adam, ") + mode);
            const std::string made = subject.fresh_name("made");
            subject.scope(subject.autograd().inference_mode(true),
                          subject.block([&](Session& inner) {
                            inner.send("core.tensor", {{"value", f32({1})}}, made);
                          }));
            subject.core().set_grad(Ref{made}, f32({2}));
            const auto optimizer =
                is_sgd ? subject.optim().sgd({.params = {Ref{made}}, .lr = 0.25, .mode = mode})
                       : subject.optim().adam({.params = {Ref{made}}, .lr = 0.25, .mode = mode});

            expect_error([&] { optimizer.step(); }, ErrorKind::kError, {"inference"});

            // Adam's first step is the learning rate, but for the epsilon.
            expect_within_ulp(subject.core().read(Ref{made}), f32({is_sgd ? 0.5 : 0.75}), 4);
          }
        }
      });

  conformance("gradients_keep_their_bits", {"OPT-004"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      for (const bool is_sgd : {true, false}) {
        const ScopedTrace kind(is_sgd ? "sgd, nesterov" : "adam, weight decay");
        const Param trained = param(subject, 1, 2);
        const auto optimizer =
            is_sgd ? nesterov(subject, trained, mode) : decayed_adam(subject, trained, mode);

        optimizer.step();
        optimizer.step();

        expect_bits(trained.grad(), f32({2}));
      }
    }
  }).only(Deviations::kStrict);

  conformance("only_foreach_sgd_with_nesterov_changes_gradients", {"OPT-004"},
              [](Session& subject) {
                for (const std::string& mode : modes(subject)) {
                  const ScopedTrace at(mode);
                  const Param trained = param(subject, 1, 2);
                  const auto optimizer = nesterov(subject, trained, mode);

                  optimizer.step();

                  expect_bits(trained.grad(), f32({mode == "foreach" ? 3.0 : 2.0}));
                  expect_bits(trained.read(), f32({0.25}));
                }
                shows_mistake(
                    "foreach SGD with Nesterov momentum adds to the gradients themselves, so that "
                    "whatever reads them after the step (logging, clipping, a further backward) "
                    "sees other numbers");
              })
      .only(Deviations::kCompat);

  conformance("a_copy_of_the_gradients_is_changed_instead", {"OPT-004"}, [](Session& subject) {
    for (const SgdOptions& given :
         {SgdOptions{.weight_decay = 0.5}, SgdOptions{.maximize = true}}) {
      const Param trained = param(subject, 1, 2);
      SgdOptions options = given;
      options.params = {trained};
      options.lr = 0.25;
      options.momentum = 0.5;
      options.nesterov = true;
      options.mode = "foreach";

      subject.optim().sgd(options).step();

      expect_bits(trained.grad(), f32({2}));
    }
  });

  conformance("foreach_adam_once_added_its_decay_to_the_gradients", {"OPT-004"},
              [](Session& subject) {
                const Param trained = param(subject, 1, 2);

                decayed_adam(subject, trained, "foreach").step();

                expect_bits(trained.grad(), f32({2.5}));
                shows_mistake(
                    "foreach Adam adds the weight decay to the gradients themselves, so that "
                    "whatever reads them after the step sees other numbers");
              })
      .until(Release::k1_13)
      .only(Deviations::kCompat);

  conformance("sgd_counts_as_operators_in_place_do", {"OPT-005"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach"}) {
      const ScopedTrace at(mode);
      const Param trained = param(subject, 1, 2);
      const std::int64_t before = trained.version();
      const auto optimizer = subject.optim().sgd(
          {.params = {trained}, .lr = 0.25, .momentum = 0.5, .weight_decay = 0.5, .mode = mode});

      optimizer.step();
      optimizer.step();

      expect_equal(trained.version() - before, std::int64_t{2});
    }
  });

  conformance("adam_counts_as_operators_in_place_do", {"OPT-005"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach"}) {
      for (const bool decoupled : {false, true}) {
        const ScopedTrace at(std::string(mode) + (decoupled ? ", adamw" : ", adam"));
        const Param trained = param(subject, 1, 2);
        const std::int64_t before = trained.version();
        const auto optimizer = subject.optim().adam({.params = {trained},
                                                     .lr = 0.25,
                                                     .weight_decay = 0.5,
                                                     .decoupled = decoupled,
                                                     .mode = mode});

        optimizer.step();

        expect_equal(trained.version() - before, std::int64_t{decoupled ? 2 : 1});
      }
    }
  });

  conformance("a_fused_step_counts_nothing", {"OPT-005"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      const Param trained = param(subject, 1, 2);
      const std::int64_t before = trained.version();
      const auto optimizer = made(subject, kind, {trained}, "fused");
      const Ref scale = subject.core().tensor(scalar_of(Dtype::kFloat32, 2));
      optimizer.set("grad_scale", scale);

      optimizer.step();

      expect_bits(trained.grad(), f32({1}));
      expect_equal(trained.version() - before, std::int64_t{0});
    }
  }).since(Release::k2_4);
}

CASES("optim/default_form") {
  conformance("it_is_the_loop_on_a_cpu", {"OPT-014"}, [](Session& subject) {
    expect_cpu_itself(subject);
    const Param trained = param(subject, 1, 2);
    const auto optimizer = nesterov(subject, trained, "default");

    optimizer.step();

    expect_bits(trained.grad(), f32({2}));
    expect_true(entry(optimizer.groups().at(0), "foreach").is_none(), "nothing was asked for");
  }).only(DeviceRules::kCpu);

  conformance("it_is_one_launch_for_a_list_on_an_accelerator", {"OPT-014"}, [](Session& subject) {
    const bool has_lists = subject.contract().release != Release::k1_13;
    for (const char* kind : {"sgd", "adam"}) {
      const ScopedTrace at(kind);
      const auto optimizer =
          made(subject, kind, {param(subject, 1, 1), param(subject, 1, 1), param(subject, 1, 1)},
               "default");

      subject.count();
      optimizer.step();
      subject.count(false);

      expect_equal(subject.counted("launches"), std::int64_t{has_lists ? 1 : 3});
    }
  }).only(DeviceRules::kCuda);
}

}  // namespace assay::suites
