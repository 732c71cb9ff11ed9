// The attributes that a scaler sets on an optimizer for a step.
#include "harness/suite/clients/core.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {

CASES("optim/step") {
  conformance(
      "a_factor_beyond_the_type_is_refused_unless_fused", {"OPT-019"}, [](Session& subject) {
        const std::vector<SgdOptions> large{{.lr = 1e39}, {.lr = 0.25, .weight_decay = 1e39}};
        for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat16, Dtype::kBfloat16}) {
          for (SgdOptions options : large) {
            for (const char* mode : {"plain", "foreach"}) {
              const ScopedTrace at(std::string(name_of(dtype)) + ", " + mode);
              const Param trained(subject, tensor_of(dtype, {1}));
              trained.set_grad(tensor_of(dtype, {2}));
              options.params = {trained};
              options.mode = mode;
              const auto optimizer = subject.optim().sgd(options);

              expect_error([&] { optimizer.step(); }, ErrorKind::kError, {"overflow"});

              expect_bits(trained.read(), tensor_of(dtype, {1}));
            }
          }
        }
      });

  conformance("an_infinite_rate_is_no_overflow", {"OPT-019"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param trained = param(subject, 1, 2);

      subject.optim().sgd({.params = {trained}, .lr = kInf, .mode = mode}).step();

      expect_bits(trained.read(), f32({-kInf}));
    }
  });

  conformance("one_that_is_not_fused_refuses_what_is_lent", {"OPT-006"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      for (const char* mode : {"plain", "foreach"}) {
        for (const char* name : {"grad_scale", "found_inf"}) {
          const ScopedTrace at(kind + ", " + mode + ", " + name);
          const Param trained = param(subject, 1, 2);
          const auto optimizer = made(subject, kind, {trained}, mode);
          const Ref lent = subject.core().tensor(scalar_of(Dtype::kFloat32, 0));
          optimizer.set(name, lent);

          expect_error([&] { optimizer.step(); }, ErrorKind::kAssertion);

          expect_bits(trained.read(), f32({1}));
        }
      }
    }
  }).since(Release::k2_4);

  conformance("one_that_is_not_fused_refuses_without_gradients_as_well", {"OPT-006"},
              [](Session& subject) {
                for (const std::string& kind : kinds()) {
                  for (const char* mode : {"plain", "foreach"}) {
                    const ScopedTrace at(kind + ", " + mode);
                    const auto optimizer = made(subject, kind, {Param(subject, f32({1}))}, mode);
                    optimizer.set("found_inf", 0.0);

                    const bool has_nothing_to_do =
                        kind != "sgd" && std::string_view(mode) == "foreach";
                    if (has_nothing_to_do) {
                      optimizer.step();
                    } else {
                      expect_error([&] { optimizer.step(); }, ErrorKind::kAssertion);
                    }
                  }
                }
              })
      .since(Release::k2_4);

  conformance("none_is_as_good_as_nothing", {"OPT-006"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param trained = param(subject, 1, 2);
      const auto optimizer = made(subject, "sgd", {trained}, mode);
      optimizer.set("grad_scale", Value());
      optimizer.set("found_inf", Value());

      optimizer.step();

      expect_bits(trained.read(), f32({0.5}));
    }
  });

  conformance("it_was_not_looked_at_once", {"OPT-006"}, [](Session& subject) {
    for (const char* mode : {"plain", "foreach"}) {
      const ScopedTrace at(mode);
      const Param trained = param(subject, 1, 2);
      const auto optimizer = made(subject, "sgd", {trained}, mode);
      optimizer.set("grad_scale", 4.0);

      optimizer.step();

      expect_bits(trained.read(), f32({0.5}));
    }
  }).until(Release::k1_13);

  conformance("a_fused_one_takes_tensors_alone", {"OPT-006"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      for (const char* name : {"grad_scale", "found_inf"}) {
        for (const Value& number : {Value(1.0), Value(std::int64_t{1})}) {
          const ScopedTrace at(kind + ", " + name);
          const Param trained = param(subject, 1, 2);
          const auto optimizer = made(subject, kind, {trained}, "fused");
          optimizer.set(name, number);

          expect_error([&] { optimizer.step(); }, ErrorKind::kAttribute, {"device"});

          expect_bits(trained.read(), f32({1}));
        }
      }
    }
  }).since(Release::k2_4);

  conformance("a_fused_one_without_gradients_does_not_look", {"OPT-006"}, [](Session& subject) {
    for (const std::string& kind : kinds()) {
      const ScopedTrace at(kind);
      const auto optimizer = made(subject, kind, {Param(subject, f32({1}))}, "fused");
      optimizer.set("found_inf", std::int64_t{0});

      optimizer.step();
    }
  }).since(Release::k2_4);
}

}  // namespace assay::suites
