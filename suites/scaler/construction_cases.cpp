// Construction: names, defaults, validation, and no use of devices.
#include "harness/suite/clients/autograd.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

const char* subclass(const Session& subject) {
  return subject.contract().cuda() ? "torch.cuda.amp" : "torch.cpu.amp";
}

/// On the subclass's fixed device, which is the device under test for CUDA and CPU.
TensorValue there(const Session& subject, TensorValue tensor) {
  const std::string type = subject.device().type;
  if (type == "cpu" || type == "cuda") return tensor;
  return on(std::move(tensor), {"cpu", -1});
}

std::string device_type(const Session& subject) { return subject.device().type; }

}  // namespace

CASES("scaler/construction") {
  scaling("the_first_positional_argument_is_the_device", {"SCL-001"}, [](Session& subject) {
    auto scaler = subject.scaler().construct({.positional = {device_type(subject), 4.0, 3.0}});

    expect_scale(scaler, 4);
    expect_bits(scaler.get_growth_factor(), 3.0);
  }).since(Release::k2_4);

  scaling("the_first_positional_argument_was_the_scale_before_2_3", {"SCL-001"},
          [](Session& subject) {
            auto scaler = subject.scaler().construct({.positional = {4.0, 3.0}});

            expect_scale(scaler, 4);
            expect_bits(scaler.get_growth_factor(), 3.0);
          })
      .until(Release::k1_13);

  scaling("a_subclass_fixes_the_device_and_starts_with_the_scale", {"SCL-001"},
          [](Session& subject) {
            auto scaler =
                subject.scaler().construct({.positional = {4.0, 3.0}, .api = subclass(subject)});
            scaler.scale(there(subject, f32({1})));
            scaler.update(there(subject, scalar_of(Dtype::kFloat32, 8)));

            expect_scale(scaler, 8);
            expect_bits(scaler.get_growth_factor(), 3.0);
          });

  scaling("a_subclass_takes_no_device", {"SCL-001"}, [](Session& subject) {
    const ScalerOptions options{.device = device_type(subject), .api = subclass(subject)};

    expect_error([&] { subject.scaler().construct(options); }, ErrorKind::kType, {"device"});
    if (subject.contract().release == Release::k1_13) return;
    expect_warning(subject.warnings(), "FutureWarning", {"deprecated"});
  });

  scaling("an_argument_is_given_by_place_or_by_name", {"SCL-001"}, [](Session& subject) {
    const ScalerOptions options{
        .init_scale = 4, .positional = {8.0, 3.0}, .api = subclass(subject)};

    expect_error([&] { subject.scaler().construct(options); }, ErrorKind::kType, {"init_scale"});
  });

  scaling("a_subclass_warns_once_whether_or_not_it_is_enabled", {"SCL-001"}, [](Session& subject) {
    for (const bool enabled : {true, false}) {
      subject.scaler().construct({.enabled = enabled, .api = subclass(subject)});

      expect_warning(subject.warnings(), "FutureWarning", {"torch.amp.GradScaler", "deprecated"});
    }
  }).since(Release::k2_4);

  scaling("the_warning_names_the_subclass_and_what_to_use", {"SCL-001"}, [](Session& subject) {
    for (const std::string api : {"torch.cuda.amp", "torch.cpu.amp"}) {
      const ScopedTrace at(api);
      subject.scaler().construct({.enabled = false, .api = api});

      expect_warning(subject.warnings(), "FutureWarning",
                     {api + ".GradScaler", "torch.amp.GradScaler", "deprecated"});
    }
  }).since(Release::k2_4);

  scaling("the_class_itself_warns_of_nothing", {"SCL-001", "SCL-003"}, [](Session& subject) {
    subject.scaler().make();

    expect_true(subject.warnings().empty(), "no warning");
  });

  scaling("defaults_are_those_of_the_documentation", {"SCL-002", "SCL-505"}, [](Session& subject) {
    auto scaler = subject.scaler().make();

    expect_bits(scaler.get_scale(), 65536.0);
    expect_bits(scaler.get_growth_factor(), 2.0);
    expect_bits(scaler.get_backoff_factor(), 0.5);
    expect_equal(scaler.get_growth_interval(), std::int64_t{2000});
    expect_true(scaler.is_enabled(), "it is enabled by default");
  });

  scaling("the_default_device_is_cuda", {"SCL-002"}, [](Session& subject) {
    auto scaler = subject.scaler().construct({});
    scaler.scale(f32({1}));
    scaler.update(scalar_of(Dtype::kFloat32, 8));

    expect_scale(scaler, 8);
  }).only(DeviceRules::kCuda);

  scaling(
      "without_cuda_the_default_scaler_is_disabled_with_a_warning", {"SCL-002", "SCL-003"},
      [](Session& subject) {
        auto scaler = subject.scaler().construct({.growth_factor = 0.5, .cuda_available = false});

        expect_warning(subject.warnings(), "UserWarning", {"CUDA is not available", "Disabling"});
        expect_false(scaler.is_enabled(), "it is disabled without CUDA");
      });

  scaling("a_disabled_scaler_does_not_ask_for_cuda", {"SCL-003"}, [](Session& subject) {
    subject.scaler().construct({.enabled = false, .cuda_available = false});

    expect_true(subject.warnings().empty(), "no warning");
  });

  scaling("a_cpu_scaler_does_not_need_cuda", {"SCL-003"}, [](Session& subject) {
    auto scaler = subject.scaler().construct({.device = "cpu", .cuda_available = false});

    expect_true(subject.warnings().empty(), "no warning");
    expect_true(scaler.is_enabled(), "it is enabled on the CPU");
  }).since(Release::k2_4);

  scaling("a_device_with_an_index_is_not_the_word_cuda", {"SCL-004"}, [](Session& subject) {
    auto scaler = subject.scaler().construct({.device = "cuda:0", .cuda_available = false});

    expect_true(subject.warnings().empty(), "no warning");
    expect_true(scaler.is_enabled(), "it is enabled");
  }).since(Release::k2_4);

  scaling("a_device_object_is_not_the_word_cuda", {"SCL-004"}, [](Session& subject) {
    auto scaler =
        subject.scaler().construct({.device = Device{"cuda", -1}, .cuda_available = false});

    expect_true(subject.warnings().empty(), "no warning");
    expect_true(scaler.is_enabled(), "it is enabled");
  }).since(Release::k2_4);

  scaling("a_device_with_an_index_refuses_every_new_scale_tensor", {"SCL-004", "SCL-404"},
          [](Session& subject) {
            const std::string device = device_type(subject) + std::string(":0");
            auto scaler = ready(subject, {.device = device});

            expect_error([&] { scaler.update(scalar_of(Dtype::kFloat32, 8)); },
                         ErrorKind::kAssertion, {"new_scale"});
          })
      .since(Release::k2_4);

  scaling("growth_must_exceed_one_and_is_checked_first", {"SCL-005"}, [](Session& subject) {
    for (const auto& [growth, backoff] : {std::pair{1.0, 0.5}, {0.5, 1.5}, {-2.0, 0.5}}) {
      const ScopedTrace at("growth " + std::to_string(growth) + ", backoff " +
                           std::to_string(backoff));
      expect_error(
          [&, growth = growth, backoff = backoff] {
            subject.scaler().make({.growth_factor = growth, .backoff_factor = backoff});
          },
          ErrorKind::kAssertion, {"growth factor", "> 1.0"});
    }
  });

  scaling("backoff_must_be_below_one", {"SCL-005"}, [](Session& subject) {
    for (const double backoff : {1.0, 1.5}) {
      expect_error([&] { subject.scaler().make({.backoff_factor = backoff}); },
                   ErrorKind::kAssertion, {"backoff factor", "< 1.0"});
    }
  });

  scaling("factors_are_compared_as_doubles", {"SCL-005"}, [](Session& subject) {
    auto scaler = subject.scaler().make(
        {.growth_factor = 0x1.0000000000001p+0, .backoff_factor = 0x1.fffffffffffffp-1});

    expect_bits(scaler.get_growth_factor(), 0x1.0000000000001p+0);
    expect_bits(scaler.get_backoff_factor(), 0x1.fffffffffffffp-1);
  });

  scaling("nan_factors_are_accepted", {"SCL-006"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.growth_factor = kNaN, .backoff_factor = kNaN});

    expect_bits(scaler.get_growth_factor(), kNaN);
    expect_bits(scaler.get_backoff_factor(), kNaN);
  }).since(Release::k2_11);

  scaling("a_nan_growth_is_refused_at_the_first_growth", {"SCL-006"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4, .growth_factor = kNaN, .growth_interval = 1});
    auto optimizer = sgd(subject, {parameter(subject, 1, 1)});

    scaler.step(optimizer);
    scaler.update();

    expect_scale(scaler, 4);
    expect_tracker(scaler, 0);
  }).since(Release::k2_11);

  scaling("nan_factors_failed_the_older_assertions", {"SCL-006"}, [](Session& subject) {
    expect_error([&] { subject.scaler().make({.growth_factor = kNaN}); }, ErrorKind::kAssertion,
                 {"growth factor"});
    expect_error([&] { subject.scaler().make({.backoff_factor = kNaN}); }, ErrorKind::kAssertion,
                 {"backoff factor"});
  }).until(Release::k2_4);

  scaling("any_initial_scale_is_kept", {"SCL-007"}, [](Session& subject) {
    for (const double scale : {0.0, -3.0, double{kInf}, double{kNaN}, 1e39}) {
      expect_bits(subject.scaler().make({.init_scale = scale}).get_scale(), scale);
    }
  });

  scaling("any_lower_backoff_and_any_interval_is_kept", {"SCL-007"}, [](Session& subject) {
    for (const double backoff : {0.0, -0.5}) {
      auto scaler = subject.scaler().make({.backoff_factor = backoff});
      expect_bits(scaler.get_backoff_factor(), backoff);
    }
    for (const std::int64_t interval : {0, -3}) {
      auto scaler = subject.scaler().make({.growth_interval = interval});
      expect_equal(scaler.get_growth_interval(), interval);
    }
  });

  scaling("a_text_as_initial_scale_fails_at_the_latest_when_it_is_used", {"SCL-007"},
          [](Session& subject) {
            expect_error(
                [&] {
                  auto scaler = subject.scaler().construct(
                      {.positional = {device_type(subject), std::string("abc")}});
                  scaler.scale(f32({1}));
                },
                ErrorKind::kType);
          })
      .since(Release::k2_4);

  scaling("whether_it_is_enabled_is_the_truth_of_any_value", {"SCL-009", "SCL-501"},
          [](Session& subject) {
            const std::vector<std::pair<Value, double>> rows = {{std::string(), 1},
                                                                {std::string("no"), 4},
                                                                {std::int64_t{0}, 1},
                                                                {std::int64_t{2}, 4},
                                                                {0.0, 1},
                                                                {0.5, 4}};
            for (const auto& [enabled, scale] : rows) {
              auto scaler = subject.scaler().construct(
                  {.positional = {device_type(subject), 4.0, 2.0, 0.5, std::int64_t{2}, enabled}});
              expect_bits(scaler.get_scale(), scale);
            }
          })
      .since(Release::k2_4);

  scaling("a_truth_value_as_interval_is_refused_by_the_update", {"SCL-007", "SCL-509"},
          [](Session& subject) {
            auto scaler = subject.scaler().construct(
                {.positional = {device_type(subject), 4.0, 2.0, 0.5, true}});
            scaler.scale(f32({1}));
            scaler.step(sgd(subject, {parameter(subject, 1, 1)}));

            expect_error([&] { scaler.update(); }, ErrorKind::kType, {"int"});

            expect_scale(scaler, 4);
            scaler.set_growth_interval(1);
            scaler.update();
            expect_scale(scaler, 8);
          })
      .since(Release::k2_4);

  scaling("construction_touches_no_device", {"SCL-008"}, [](Session& subject) {
    subject.count();
    auto scaler = subject.scaler().make();

    expect_equal(subject.counted("allocations"), std::int64_t{0});
    expect_equal(subject.counted("launches"), std::int64_t{0});
    expect_no_tensors(scaler);
  });

  scaling("a_disabled_scaler_does_not_look_at_its_factors", {"SCL-009"}, [](Session& subject) {
    auto scaler =
        subject.scaler().make({.growth_factor = 0.5, .backoff_factor = 1.5, .enabled = false});

    expect_false(scaler.is_enabled(), "it is disabled");
  });

  scaling("a_disabled_scaler_stays_disabled", {"SCL-009", "SCL-505"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.enabled = false});
    auto other = subject.scaler().make({.init_scale = 4});

    scaler.set_growth_factor(4.0);
    scaler.load_state_dict(other.state_dict());

    expect_false(scaler.is_enabled(), "neither a setter nor a load enables it");
  });

  scaling("a_scale_made_in_inference_mode_is_written_there_alone", {"SCL-508", "CORE-14"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 4});
            subject.scope(subject.autograd().inference_mode(true),
                          subject.block([&](Session& inner) {
                            inner.send("scaler.scale", {{"scaler", scaler}, {"outputs", f32({1})}});
                          }));
            const auto state = subject.scaler().make({.init_scale = 8}).state_dict();

            expect_error([&] { scaler.load_state_dict(state); }, ErrorKind::kError, {"inference"});

            expect_scale(scaler, 8);
          });
}

}  // namespace assay::suites
