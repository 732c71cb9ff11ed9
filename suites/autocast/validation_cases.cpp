// The valid arguments of regions: devices, dtypes, and machines without CUDA.
#include "harness/suite/mistake.hpp"
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

RegionHandle construct(Session& subject, const RegionOptions& options) {
  return subject.autocast().construct(options);
}

bool enabled_inside(Session& subject, const RegionHandle& region, const std::string& type) {
  region.enter();
  const bool enabled = subject.autocast().is_enabled(type);
  region.exit();
  return enabled;
}

const std::vector<std::string>& validated_devices(const Session& subject) {
  static const std::vector<std::string> old = {"cpu"};
  static const std::vector<std::string> middle = {"cpu", "xpu", "ipu", "hpu", "xla"};
  static const std::vector<std::string> all = {"cpu", "xpu", "ipu",  "hpu",
                                               "xla", "mps", "mtia", "maia"};
  if (subject.contract().release == Release::k1_13) return old;
  return subject.contract().release == Release::k2_4 ? middle : all;
}

}  // namespace

CASES("autocast/validation") {
  conformance("a_device_that_is_no_text_is_a_value_error", {"CAST-610"}, [](Session& subject) {
    expect_error([&] { construct(subject, {.device = 7}); }, ErrorKind::kValue, {"int"});
  }).since(Release::k2_4);

  conformance("a_device_that_nobody_knows_is_quoted", {"CAST-610"}, [](Session& subject) {
    expect_error([&] { construct(subject, {.device = "nosuch"}); }, ErrorKind::kError, {"nosuch"});
  }).since(Release::k2_4);

  conformance("a_device_without_autocast_is_quoted", {"CAST-610"}, [](Session& subject) {
    for (const char* device : {"meta", "vulkan"}) {
      const ScopedTrace at(device);
      expect_error([&] { construct(subject, {.device = device, .dtype = Dtype::kBfloat16}); },
                   ErrorKind::kError, {"unsupported", device});
    }
  }).since(Release::k2_4);

  conformance("a_device_without_autocast_and_a_type_has_no_type", {"CAST-610", "CAST-107"},
              [](Session& subject) {
                expect_error([&] { construct(subject, {.device = "meta"}); }, ErrorKind::kError,
                             {"unsupported"});
              })
      .since(Release::k2_4);

  conformance("there_was_one_message_for_every_other_device", {"CAST-610"}, [](Session& subject) {
    for (const Value& device : {Value(7), Value("nosuch"), Value("meta")}) {
      expect_error([&] { construct(subject, {.device = device}); }, ErrorKind::kError,
                   {"cuda", "cpu"});
    }
  }).until(Release::k1_13);

  conformance("both_low_types_are_accepted", {"CAST-611"}, [](Session& subject) {
    for (const std::string& device : validated_devices(subject)) {
      const ScopedTrace at(device);
      for (const Dtype dtype : {Dtype::kBfloat16, Dtype::kFloat16}) {
        const RegionHandle region = construct(subject, {.device = device, .dtype = dtype});
        expect_true(subject.warnings().empty(), "there is no warning");
        expect_true(enabled_inside(subject, region, device), "autocast is on");
      }
    }
  }).since(Release::k2_4);

  conformance("another_type_warns_and_disables", {"CAST-611"}, [](Session& subject) {
    for (const std::string& device : validated_devices(subject)) {
      const ScopedTrace at(device);
      const RegionHandle region = construct(subject, {.device = device, .dtype = Dtype::kFloat32});
      expect_warning(subject.warnings(), "UserWarning", {device, "Disabling", "bfloat16"});
      if (subject.contract().release != Release::k1_13) {
        expect_false(enabled_inside(subject, region, device), "autocast is off");
      }
    }
  });

  conformance("the_disabled_region_still_sets_its_type", {"CAST-611", "CAST-602"},
              [](Session& subject) {
                const RegionHandle region =
                    construct(subject, {.device = "cpu", .dtype = Dtype::kFloat32});
                region.enter();
                expect_equal(subject.autocast().dtype("cpu"), Dtype::kFloat32);
                region.exit();
              })
      .since(Release::k2_4);

  conformance("float16_on_the_cpu_warned_too", {"CAST-611"}, [](Session& subject) {
    construct(subject, {.device = "cpu", .dtype = Dtype::kFloat16});

    expect_warning(subject.warnings(), "UserWarning", {"cpu", "Disabling", "bfloat16"});
  }).until(Release::k1_13);

  conformance("a_disabled_region_is_not_checked", {"CAST-611"}, [](Session& subject) {
    construct(subject, {.device = "cpu", .dtype = Dtype::kFloat32, .enabled = false});

    expect_true(subject.warnings().empty(), "there is no warning");
  }).since(Release::k2_4);

  conformance("a_disabled_region_was_checked_too", {"CAST-611"}, [](Session& subject) {
    construct(subject, {.device = "cpu", .dtype = Dtype::kFloat32, .enabled = false});

    expect_warning(subject.warnings(), "UserWarning", {"cpu", "Disabling"});
  }).until(Release::k1_13);

  conformance("cuda_takes_any_type", {"CAST-611"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, {.device = "cuda", .dtype = Dtype::kFloat32}, [&] {
      expect_true(subject.autocast().is_enabled("cuda"), "autocast is on");
      const Value half = matrix(target, Dtype::kFloat16);
      expect_equal(mm(subject, half, half).dtype(), Dtype::kFloat32);
    });
  }).only(DeviceRules::kCuda);

  conformance("cuda_without_bfloat16_points_to_float16", {"CAST-611", "CAST-613"},
              [](Session& subject) {
                expect_error(
                    [&] {
                      construct(subject, {.device = "cuda",
                                          .dtype = Dtype::kBfloat16,
                                          .cuda_available = true,
                                          .bf16_supported = false});
                    },
                    ErrorKind::kError, {"bfloat16", "float16"});
              });

  conformance("a_disabled_region_does_not_ask_for_bfloat16", {"CAST-613"}, [](Session& subject) {
    construct(subject, {.device = "cuda",
                        .dtype = Dtype::kBfloat16,
                        .enabled = false,
                        .cuda_available = true,
                        .bf16_supported = false});

    expect_true(subject.warnings().empty(), "there is no warning");
  }).since(Release::k2_4);

  conformance("a_disabled_region_asked_for_bfloat16", {"CAST-613"}, [](Session& subject) {
    expect_error(
        [&] {
          construct(subject, {.device = "cuda",
                              .dtype = Dtype::kBfloat16,
                              .enabled = false,
                              .cuda_available = true,
                              .bf16_supported = false});
        },
        ErrorKind::kError, {"bfloat16", "float16"});
  }).until(Release::k1_13);

  conformance("without_cuda_a_region_warns_and_is_disabled", {"CAST-612"}, [](Session& subject) {
    const RegionHandle region = construct(subject, {.device = "cuda", .cuda_available = false});

    expect_warning(subject.warnings(), "UserWarning", {"CUDA is not available", "Disabling"});
    expect_false(enabled_inside(subject, region, "cuda"), "autocast is off");
  });

  conformance("a_device_with_an_index_is_another_text_to_pytorch", {"CAST-611"},
              [](Session& subject) {
                const RegionHandle region =
                    construct(subject, {.device = "cpu:0", .dtype = Dtype::kFloat32});

                const bool is_looked_at = subject.contract().release >= Release::k2_11;
                expect_equal(subject.warnings().empty(), !is_looked_at);
                expect_equal(enabled_inside(subject, region, "cpu"), !is_looked_at);
                if (is_looked_at) {
                  shows_mistake(
                      "autocast(\"cuda:1\") is disabled with a warning, so that a training that "
                      "passes its device runs in full precision");
                }
              })
      .since(Release::k2_4)
      .only(Deviations::kCompat);

  conformance("a_cuda_device_with_an_index_is_not_asked_for", {"CAST-611"},
              [](Session& subject) {
                const RegionHandle region =
                    construct(subject, {.device = "cuda:1", .cuda_available = false});

                expect_true(subject.warnings().empty(), "there is no warning");
                expect_true(enabled_inside(subject, region, "cuda"), "autocast is on");
              })
      .since(Release::k2_4)
      .only(Deviations::kCompat);

  conformance("bfloat16_is_asked_for_without_cuda_too", {"CAST-613"}, [](Session& subject) {
    expect_error(
        [&] {
          construct(subject, {.device = "cuda",
                              .dtype = Dtype::kBfloat16,
                              .cuda_available = false,
                              .bf16_supported = false});
        },
        ErrorKind::kError, {"bfloat16", "float16"});
  }).until(Release::k1_13);

  conformance("without_cuda_a_region_still_nests", {"CAST-612"}, [](Session& subject) {
    inside(subject, {.device = "cuda", .cuda_available = false},
           [&] { expect_equal(subject.autocast().nesting(1), 2); });
  });

  conformance("a_disabled_region_does_not_ask_for_cuda", {"CAST-612"}, [](Session& subject) {
    construct(subject, {.device = "cuda", .enabled = false, .cuda_available = false});

    expect_true(subject.warnings().empty(), "there is no warning");
  });

  conformance("bfloat16_on_mps_does_not_warn", {"CAST-614"}, [](Session& subject) {
    construct(subject, {.device = "mps", .dtype = Dtype::kBfloat16});

    expect_true(subject.warnings().empty(), "there is no warning");
  }).since(Release::k2_11);

  conformance("a_private_backend_must_have_registered", {"CAST-615"}, [](Session& subject) {
    expect_error([&] { construct(subject, {.device = "privateuseone", .dtype = Dtype::kFloat16}); },
                 ErrorKind::kAssertion, {"privateuseone", "register"});
  }).since(Release::k2_4);

  conformance("the_default_type_is_one_of_the_two", {"CAST-617"}, [](Session& subject) {
    const Dtype dtype = subject.autocast().dtype(target_of(subject).type);

    expect_true(dtype == Dtype::kFloat16 || dtype == Dtype::kBfloat16,
                "the type is float16 or bfloat16");
  });
}

}  // namespace assay::suites
