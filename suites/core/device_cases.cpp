// Devices: numbers, text forms, and invalid devices.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {
namespace {

struct TypeRow {
  const char* type;
  std::int64_t number;
};

/// Device types with the same number in every release.
constexpr TypeRow kTypes[] = {
    {"cpu", 0},  {"cuda", 1},  {"mkldnn", 2}, {"opengl", 3},  {"opencl", 4}, {"ideep", 5},
    {"hip", 6},  {"fpga", 7},  {"xla", 9},    {"vulkan", 10}, {"metal", 11}, {"xpu", 12},
    {"mps", 13}, {"meta", 14}, {"hpu", 15},   {"ve", 16},     {"lazy", 17},  {"ipu", 18},
};

struct TextRow {
  const char* text;
  const char* type;
  std::int64_t index;
};

constexpr TextRow kTexts[] = {
    {"cpu", "cpu", -1},
    {"cpu:0", "cpu", 0},
    {"cuda", "cuda", -1},
    {"cuda:0", "cuda", 0},
    {"cuda:7", "cuda", 7},
    {"cuda:10", "cuda", 10},
    {"cuda:127", "cuda", 127},
    {"meta", "meta", -1},
    {"xla:1", "xla", 1},
    {"mps:0", "mps", 0},
    {"privateuseone:2", "privateuseone", 2},
};

/// None of these is `letters` or `letters:number` without leading zeros.
constexpr const char* kBadShapes[] = {"cuda:",    "cuda:01",  "cuda:00", "cuda:-1", " cuda",
                                      "cuda ",    "cuda:1:2", ":1",      "1",       "cuda1",
                                      "cuda:1.0", "cuda:0x1", "cuda: 1", "cuda:1 ", "cuda-1"};

}  // namespace

CASES("core/device") {
  conformance("types_have_the_numbers_of_the_enumeration", {"CORE-08"}, [](Session& subject) {
    for (const TypeRow& row : kTypes) {
      const ScopedTrace at{row.type};

      expect_equal(subject.core().device_type(row.type), row.number);
    }
  });

  conformance("ort_is_8_and_the_private_one_19_in_1_13", {"CORE-08"}, [](Session& subject) {
    expect_equal(subject.core().device_type("ort"), 8);
    expect_equal(subject.core().device_type("privateuseone"), 19);
  }).until(Release::k1_13);

  conformance("maia_is_8_and_the_private_one_20_after_mtia", {"CORE-08"}, [](Session& subject) {
    expect_equal(subject.core().device_type("maia"), 8);
    expect_equal(subject.core().device_type("mtia"), 19);
    expect_equal(subject.core().device_type("privateuseone"), 20);
  }).since(Release::k2_4);

  conformance("legacy_types_have_no_dispatch_key", {"CORE-08"}, [](Session& subject) {
    for (const char* type : {"mkldnn", "opengl", "opencl", "ideep"}) {
      const ScopedTrace at{type};

      const bool is_refused =
          subject.contract().release >= Release::k2_14 && std::string_view(type) == "mkldnn";
      expect_error([&] { subject.core().device_key(type); },
                   is_refused ? ErrorKind::kNotImplemented : ErrorKind::kInternal, {type});
    }
  });

  conformance("other_types_have_one_of_their_name", {"CORE-08"}, [](Session& subject) {
    expect_equal(subject.core().device_key("cpu"), "CPU");
    expect_equal(subject.core().device_key("cuda"), "CUDA");
    expect_equal(subject.core().device_key("xla"), "XLA");
    expect_equal(subject.core().device_key("meta"), "Meta");
    expect_equal(subject.core().device_key("vulkan"), "Vulkan");
    expect_equal(subject.core().device_key("privateuseone"), "PrivateUse1");
  });

  conformance("text_is_the_type_and_the_index_from_zero_on", {"CORE-09"}, [](Session& subject) {
    expect_equal(subject.core().device_new("cuda", -1), "cuda");
    expect_equal(subject.core().device_new("cuda", 0), "cuda:0");
    expect_equal(subject.core().device_new("cuda", 3), "cuda:3");
    expect_equal(subject.core().device_new("cpu", -1), "cpu");
    expect_equal(subject.core().device_new("cpu", 0), "cpu:0");
  });

  conformance("no_index_and_index_zero_are_two_devices", {"CORE-09"}, [](Session& subject) {
    expect_equal(subject.core().device("cuda").index, -1);
    expect_equal(subject.core().device("cuda:0").index, 0);
    expect_equal(subject.core().device("cuda").text, "cuda");
    expect_equal(subject.core().device("cuda:0").text, "cuda:0");
  });

  conformance("an_index_below_minus_one_is_refused", {"CORE-09"}, [](Session& subject) {
    expect_error([&] { subject.core().device_new("cuda", -2); }, ErrorKind::kInternal);
    expect_error([&] { subject.core().device_new("cuda", -128); }, ErrorKind::kInternal);
  }).only(Deviations::kStrict);

  conformance("release_builds_look_at_no_index", {"CORE-09"}, [](Session& subject) {
    expect_equal(subject.core().device_new("fpga", -2), "fpga:-2");
    expect_equal(subject.core().device_new("cuda", -128), "cuda:-128");
    expect_equal(subject.core().device_new("xla", -1), "xla");
  }).only(Deviations::kCompat);

  conformance("there_is_one_cpu", {"CORE-09"}, [](Session& subject) {
    expect_error([&] { subject.core().device_new("cpu", 1); }, ErrorKind::kInternal);
    expect_error([&] { subject.core().device("cpu:1"); }, ErrorKind::kInternal);
  }).only(Deviations::kStrict);

  conformance("release_builds_accept_a_second_cpu", {"CORE-09"}, [](Session& subject) {
    expect_equal(subject.core().device("cpu:1").text, "cpu:1");
  }).only(Deviations::kCompat);
}

CASES("core/device_text") {
  conformance("a_type_may_be_followed_by_an_index", {"CORE-10"}, [](Session& subject) {
    for (const TextRow& row : kTexts) {
      const ScopedTrace at{row.text};
      const DeviceInfo device = subject.core().device(row.text);

      expect_equal(device.type, row.type);
      expect_equal(device.index, row.index);
      expect_equal(device.text, row.text);
    }
  });

  conformance("an_empty_text_is_refused", {"CORE-10"}, [](Session& subject) {
    expect_error([&] { subject.core().device(""); }, ErrorKind::kError, {"must not be empty"});
  });

  conformance("a_bad_shape_is_refused_and_quoted", {"CORE-10"}, [](Session& subject) {
    for (const std::string text : kBadShapes) {
      const ScopedTrace at{"'" + text + "'"};

      expect_error([&] { subject.core().device(text); }, ErrorKind::kError,
                   {"Invalid device string", "'" + text + "'"});
    }
  });

  conformance("an_unknown_type_gets_the_list_of_types", {"CORE-10"}, [](Session& subject) {
    for (const std::string text : {"gpu", "CPU", "Cuda:0", "my_device:1"}) {
      const ScopedTrace at{text};
      const std::string type = text.substr(0, text.find(':'));

      expect_error([&] { subject.core().device(text); }, ErrorKind::kError,
                   {"cpu", "cuda", "xla", "mps", "privateuseone", "device string: " + type});
    }
  });

  conformance("an_index_beyond_127_is_refused", {"CORE-10"}, [](Session& subject) {
    for (const char* text : {"cuda:128", "cuda:256", "cuda:2147483648"}) {
      const ScopedTrace at{text};

      expect_error([&] { subject.core().device(text); }, ErrorKind::kError,
                   {"Could not parse device index"});
    }
  }).only(Deviations::kStrict);

  conformance("an_index_beyond_127_wraps", {"CORE-10"}, [](Session& subject) {
    expect_equal(subject.core().device("cuda:128").index, -128);
    expect_equal(subject.core().device("cuda:128").text, "cuda:-128");
    expect_equal(subject.core().device("cuda:255").index, -1);
    expect_equal(subject.core().device("cuda:256").index, 0);
    expect_equal(subject.core().device("cuda:65792").index, 0);
  }).only(Deviations::kCompat);

  conformance("an_index_beyond_every_int_is_refused", {"CORE-10"}, [](Session& subject) {
    expect_error([&] { subject.core().device("cuda:99999999999999999999"); }, ErrorKind::kError,
                 {"Could not parse device index"});
  });
}

}  // namespace assay::suites
