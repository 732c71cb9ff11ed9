// State: keys and dtypes of devices, enabled flags, nesting, the cache flag, and which state is
// thread-local.
#include <string>

#include "harness/suite/reading.hpp"
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

struct DeviceRow {
  std::string type;
  const char* key;
  Dtype low;
  Dtype old_low;  ///< in 1.13
  Release since;
  bool counted;  ///< counted by is_any_enabled until 2.12 (CAST-116)
};

constexpr Dtype kHalf = Dtype::kFloat16;
constexpr Dtype kBfloat = Dtype::kBfloat16;

const std::vector<DeviceRow>& devices() {
  static const std::vector<DeviceRow> rows = {
      {"cpu", "AutocastCPU", kBfloat, kBfloat, Release::k1_13, true},
      {"cuda", "AutocastCUDA", kHalf, kHalf, Release::k1_13, true},
      {"xpu", "AutocastXPU", kHalf, kBfloat, Release::k1_13, true},
      {"ipu", "AutocastIPU", kHalf, kHalf, Release::k2_4, true},
      {"hpu", "AutocastHPU", kBfloat, kBfloat, Release::k2_4, true},
      {"xla", "AutocastXLA", kBfloat, kBfloat, Release::k2_4, true},
      {"privateuseone", "AutocastPrivateUse1", kHalf, kHalf, Release::k2_4, true},
      {"mps", "AutocastMPS", kHalf, kHalf, Release::k2_11, false},
      {"mtia", "AutocastMTIA", kHalf, kHalf, Release::k2_11, false},
      {"maia", "AutocastMAIA", kBfloat, kBfloat, Release::k2_11, false},
  };
  return rows;
}

/// The devices that have a key in the contract's release.
std::vector<DeviceRow> devices_of(const Session& subject) {
  std::vector<DeviceRow> known;
  for (const DeviceRow& row : devices()) {
    if (subject.contract().release >= row.since) known.push_back(row);
  }
  return known;
}

void expect_set_dtype_works(Session& subject, Dtype low, char input, Dtype wanted) {
  const Target target = target_of(subject);
  subject.autocast().set_dtype(low, target.type);
  const std::vector<Value> args = operands(target, std::string(2, input));

  const Called called = mm(subject, args[0], args[1]);

  expect_equal(called.dtype(), wanted);
}

}  // namespace

CASES("autocast/state") {
  conformance("each_device_type_has_a_key_of_its_own", {"CAST-101"}, [](Session& subject) {
    for (const DeviceRow& row : devices_of(subject)) {
      const ScopedTrace at(row.type);
      expect_equal(subject.autocast().key(row.type), row.key);
    }
  });

  conformance("availability_is_having_a_key", {"CAST-101"}, [](Session& subject) {
    for (const DeviceRow& row : devices()) {
      const ScopedTrace at(row.type);
      expect_equal(subject.autocast().is_available(row.type),
                   subject.contract().release >= row.since);
    }
    expect_false(subject.autocast().is_available("meta"), "meta has no autocast");
  }).since(Release::k2_4);

  conformance("a_device_type_without_a_key_is_unknown_for_autocast", {"CAST-101"},
              [](Session& subject) {
                for (const char* type : {"meta", "vulkan", "fpga"}) {
                  const ScopedTrace at(type);
                  expect_error([&] { subject.autocast().is_enabled(type); }, ErrorKind::kError,
                               {"unknown device type for autocast"});
                }
              })
      .since(Release::k2_4);

  conformance("keys_of_tensors_do_not_depend_on_their_type", {"CAST-102"}, [](Session& subject) {
    const Target target = target_of(subject);
    for (const char letter : {'f', 'h', 'd', 'i', 'o'}) {
      const ScopedTrace at(std::string(1, letter));
      const Ref tensor = subject.core().tensor(matrix(target, dtype_of_letter(letter)));
      const Value keys = field(subject.send("dispatch.tensor_keys", {{"of", tensor}}), "result");
      const Reply reply = subject.send(
          "dispatch.has", {{"set", keys}, {"key", subject.autocast().key(target.type)}});
      expect_true(field_as<bool>(reply, "result"), "the tensor has its device's autocast key");
    }
  });

  conformance(
      "sparse_tensors_have_the_key_and_mkldnn_and_meta_tensors_do_not", {"CAST-102"},
      [](Session& subject) {
        const auto has = [&](const Fields& with) {
          const Ref probe{subject.fresh_name("probe")};
          subject.send("dispatch.tensor", with, probe.name);
          const Value keys = field(subject.send("dispatch.tensor_keys", {{"of", probe}}), "result");
          return field_as<bool>(
              subject.send("dispatch.has", {{"set", keys}, {"key", "AutocastCPU"}}), "result");
        };

        expect_true(has({{"device", "cpu"}, {"layout", "sparse"}}), "a sparse tensor has the key");
        expect_false(has({{"device", "cpu"}, {"layout", "mkldnn"}}),
                     "an mkldnn tensor lacks the key");
        expect_false(has({{"device", "meta"}}), "a meta tensor lacks the key");
      });

  conformance(
      "history_is_recorded_below_the_casts", {"CAST-103", "CAST-209"}, [](Session& subject) {
        const Target target = target_of(subject);
        const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
        Ref product;

        inside(subject, target, [&] {
          product = call_ref(subject, "aten::mm", {matrix(target, Dtype::kFloat32), weight});
        });

        const NodeInfo node = subject.autograd().node(product);
        expect_equal(node.kind, "mm");
        expect_equal(last_of(node.next), "cast");
      });

  conformance("what_is_saved_for_backward_is_low", {"CAST-103"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
    Ref product;

    inside(subject, target, [&] {
      product = call_ref(subject, "aten::mm", {matrix(target, Dtype::kFloat32), weight});
    });

    for (const Dtype saved : subject.autograd().saved(product)) expect_equal(saved, target.low);
  });

  conformance("every_thread_starts_with_autocast_off", {"CAST-104"}, [](Session& subject) {
    const Target target = target_of(subject);
    subject.autocast().set_enabled(true, target.type);

    const std::vector<Value> seen = on_thread(subject, "fresh", [&](Session& inner) {
      for (const DeviceRow& row : devices_of(subject)) inner.autocast().is_enabled(row.type);
    });

    for (const Value& enabled : seen) expect_equal(enabled, false);
  });

  conformance("enabled_is_a_flag_and_no_counter", {"CAST-104"}, [](Session& subject) {
    for (const DeviceRow& row : devices_of(subject)) {
      const ScopedTrace at(row.type);
      subject.autocast().set_enabled(true, row.type);
      subject.autocast().set_enabled(true, row.type);
      expect_true(subject.autocast().is_enabled(row.type), "it is on after it was turned on");
      subject.autocast().set_enabled(false, row.type);
      expect_false(subject.autocast().is_enabled(row.type), "it is off after it was turned off");
    }
  });

  conformance("enabled_is_the_key_being_no_more_excluded", {"CAST-104"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string key = subject.autocast().key(target.type);
    const auto excluded = [&] {
      return field_as<bool>(subject.send("dispatch.is_excluded", {{"key", key}}), "result");
    };

    expect_true(excluded(), "the key is excluded by default");
    subject.autocast().set_enabled(true, target.type);
    expect_false(excluded(), "the key is not excluded while autocast is on");
  });

  conformance("low_types_by_device", {"CAST-105"}, [](Session& subject) {
    const bool old = subject.contract().release == Release::k1_13;
    for (const DeviceRow& row : devices_of(subject)) {
      const ScopedTrace at(row.type);
      expect_equal(subject.autocast().dtype(row.type), old ? row.old_low : row.low);
    }
  });

  conformance("the_type_setter_takes_any_type", {"CAST-106", "CAST-401"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      expect_set_dtype_works(subject, Dtype::kFloat32, 'h', Dtype::kFloat32);
      expect_set_dtype_works(subject, Dtype::kFloat64, 'f', Dtype::kFloat64);
      // There are products of integers on the host alone.
      if (target.type == "cpu") expect_set_dtype_works(subject, Dtype::kInt64, 'f', Dtype::kInt64);
    });
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("the_old_cpu_setter_took_bfloat16_alone", {"CAST-106"}, [](Session& subject) {
    for (const Dtype dtype : {kHalf, Dtype::kFloat32}) {
      expect_error([&] { subject.autocast().set_dtype(dtype, "cpu"); }, ErrorKind::kError,
                   {"bfloat16"});
    }
    subject.autocast().set_dtype(kBfloat, "cpu");
    expect_equal(subject.autocast().dtype("cpu"), kBfloat);
  }).until(Release::k1_13);

  conformance(
      "a_device_without_autocast_has_an_undefined_type", {"CAST-107"},
      [](Session& subject) { expect_equal(subject.autocast().dtype("meta"), Dtype::kUndefined); })
      .since(Release::k2_4);

  conformance("nesting_counts_without_a_lower_bound", {"CAST-108"}, [](Session& subject) {
    const AutocastClient autocast = subject.autocast();
    expect_equal(autocast.nesting(1), 1);
    expect_equal(autocast.nesting(1), 2);
    expect_equal(autocast.nesting(-1), 1);
    expect_equal(autocast.nesting(-1), 0);
    expect_equal(autocast.nesting(-1), -1);
    expect_equal(autocast.nesting(1), 0);
  });

  conformance("enabling_without_a_region_does_not_nest", {"CAST-108"}, [](Session& subject) {
    subject.autocast().set_enabled(true, target_of(subject).type);

    expect_equal(subject.autocast().nesting(1), 1);
  });

  conformance("a_negative_count_clears_nothing", {"CAST-108"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Value low = matrix(target, target.low);
    subject.autocast().set_enabled(true, target.type);
    mm(subject, low, weight);

    subject.autocast().nesting(-1);

    expect_equal(conversions(subject, [&] { mm(subject, low, weight); }), 0);
  });

  conformance("the_cache_flag_is_on_by_default_and_per_thread", {"CAST-109", "CAST-110"},
              [](Session& subject) {
                expect_true(subject.autocast().is_cache_enabled(), "the cache is on by default");
                subject.autocast().set_cache_enabled(false);
                expect_false(subject.autocast().is_cache_enabled(),
                             "the cache is off after it was set off");

                const std::vector<Value> seen = on_thread(
                    subject, "other", [](Session& inner) { inner.autocast().is_cache_enabled(); });

                expect_equal(seen.at(0), true);
              });

  conformance("entries_survive_the_cache_flag", {"CAST-109"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Value low = matrix(target, target.low);
    const auto use = [&] { return conversions(subject, [&] { mm(subject, low, weight); }); };

    inside(subject, target, [&] {
      expect_equal(use(), 1);
      subject.autocast().set_cache_enabled(false);
      expect_equal(use(), 1);
      expect_equal(use(), 1);
      subject.autocast().set_cache_enabled(true);
      expect_equal(use(), 0);
    });
  });

  conformance("types_flags_and_nesting_are_a_threads_own", {"CAST-110"}, [](Session& subject) {
    const Target target = target_of(subject);
    subject.autocast().set_enabled(true, target.type);
    subject.autocast().set_dtype(target.other, target.type);
    subject.autocast().nesting(1);

    const std::vector<Value> seen = on_thread(subject, "other", [&](Session& inner) {
      inner.autocast().is_enabled(target.type);
      inner.autocast().dtype(target.type);
      inner.autocast().nesting(1);
    });

    expect_equal(seen.at(0), false);
    expect_equal(seen.at(1), target.low);
    expect_equal(seen.at(2), 1);
    expect_equal(subject.autocast().dtype(target.type), target.other);
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("the_legacy_calls_mean_cuda", {"CAST-117"}, [](Session& subject) {
    subject.autocast().set_enabled(true);
    expect_true(subject.autocast().is_enabled("cuda"), "the old setter sets CUDA's flag");
    expect_true(subject.autocast().is_enabled(), "the old getter reads CUDA's flag");
    expect_false(subject.autocast().is_enabled("cpu"),
                 "the old setter leaves the CPU's flag alone");
    subject.autocast().set_enabled(false);

    subject.autocast().set_dtype(kBfloat, "cuda");
    expect_equal(subject.autocast().dtype(), kBfloat);
  });

  conformance("the_legacy_type_getter_warns", {"CAST-117"},
              [](Session& subject) {
                subject.autocast().dtype();

                expect_warning(subject.warnings(), "DeprecationWarning",
                               {"deprecated", "get_autocast_dtype"});
              })
      .since(Release::k2_4)
      .fresh();

  conformance("any_looks_at_seven_devices", {"CAST-116"},
              [](Session& subject) {
                expect_false(subject.autocast().is_any_enabled(), "nothing is on by default");
                for (const DeviceRow& row : devices_of(subject)) {
                  const ScopedTrace at(row.type);
                  subject.autocast().set_enabled(true, row.type);
                  expect_equal(subject.autocast().is_any_enabled(), row.counted);
                  subject.autocast().set_enabled(false, row.type);
                }
              })
      .since(Release::k2_4)
      .until(Release::k2_12);

  conformance("any_looks_at_mtia_as_well", {"CAST-116"}, [](Session& subject) {
    for (const DeviceRow& row : devices_of(subject)) {
      const ScopedTrace at(row.type);
      subject.autocast().set_enabled(true, row.type);
      expect_equal(subject.autocast().is_any_enabled(), row.counted || row.type == "mtia");
      subject.autocast().set_enabled(false, row.type);
    }
  }).since(Release::k2_13);

  conformance("xla_tensors_count_as_cuda", {"CAST-118", "CAST-202"}, [](Session& subject) {
    const Ref probe{subject.fresh_name("probe")};
    subject.send("dispatch.tensor", {{"device", "xla"}}, probe.name);

    expect_true(subject.autocast().is_eligible(probe, "cuda"), "it is eligible for CUDA");
  });
}

}  // namespace assay::suites
