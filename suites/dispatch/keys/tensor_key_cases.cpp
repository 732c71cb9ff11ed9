// The keys of tensors, generators and devices.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "suites/dispatch/keys/key_lists.hpp"
#include "suites/dispatch/scopes.hpp"

namespace assay::suites {
namespace {

/// A device type and its backend key; empty for a device without kernels.
struct DeviceRow {
  const char* device;
  const char* key;
};

constexpr DeviceRow kBackendDevices[] = {
    {"cpu", "CPU"}, {"cuda", "CUDA"}, {"hip", "HIP"},   {"xla", "XLA"},
    {"mps", "MPS"}, {"ipu", "IPU"},   {"xpu", "XPU"},   {"hpu", "HPU"},
    {"ve", "VE"},   {"lazy", "Lazy"}, {"meta", "Meta"}, {"privateuseone", "PrivateUse1"},
};
constexpr DeviceRow kPlainDevices[] = {{"fpga", "FPGA"}, {"vulkan", "Vulkan"}, {"metal", "Metal"}};

/// The devices of this release, including temporary ones. MAIA is handled separately.
std::vector<DeviceRow> backend_devices(Release release) {
  std::vector<DeviceRow> rows(std::begin(kBackendDevices), std::end(kBackendDevices));
  if (release != Release::k1_13) rows.push_back({"mtia", "MTIA"});
  return rows;
}

std::vector<DeviceRow> plain_devices(Release release) {
  std::vector<DeviceRow> rows(std::begin(kPlainDevices), std::end(kPlainDevices));
  if (release == Release::k1_13) rows.push_back({"ort", "ORT"});
  // A backend since 2.11, but without quantized and sparse tensors.
  if (release != Release::k1_13) rows.push_back({"maia", "MAIA"});
  return rows;
}

void expect_unregistrable(Session& subject, const std::string& device) {
  const ScopedTrace at{device};
  expect_error([&] { subject.dispatch().device_key(device); }, ErrorKind::kError,
               {"Device type " + device, "cannot be overloaded at dispatch time"});
}

void expect_registrable(Session& subject, const std::string& device, const std::string& key) {
  const ScopedTrace at{device};
  expect_equal(subject.dispatch().device_key(device), key);
}

KeyBits keys_of(Session& subject, const ProbeOptions& options) {
  return subject.dispatch().tensor_keys(subject.dispatch().tensor(options));
}

KeyBits bits_of(Session& subject, const KeySet& set) { return subject.dispatch().set(set).set; }

/// The autocast key of a backend's tensors; empty if there is none (DSP-203).
std::string autocast_of(const std::string& backend, const KeyModel& model, Release release) {
  if (backend == "XLA" && release == Release::k1_13) return "AutocastCUDA";
  return model.has_functionality("Autocast" + backend) ? "Autocast" + backend : "";
}

std::string autograd_of(const std::string& backend, Release release) {
  const bool own =
      backend != "HIP" && backend != "VE" && (backend != "MTIA" || release >= Release::k2_11);
  return own ? "Autograd" + backend : "AutogradOther";
}

/// All keys of a tensor with that backend key.
KeyBits full_set(Session& subject, const ModelKey& key) {
  const Release release = subject.contract().release;
  std::vector<std::string> keys = {key.name, "ADInplaceOrView"};
  const bool is_plain = key.backend.empty();
  keys.push_back(is_plain ? "AutogradOther" : autograd_of(key.backend, release));
  const std::string autocast =
      is_plain ? "" : autocast_of(key.backend, key_model(release), release);
  if (!autocast.empty()) keys.push_back(autocast);
  return bits_of(subject, KeySet(keys));
}

}  // namespace

CASES("dispatch/tensor_key") {
  conformance("kernels_are_registered_for_these_devices", {"DSP-201"}, [](Session& subject) {
    for (const DeviceRow& row : kBackendDevices) {
      const std::string device = row.device;
      if (device == "ve") continue;
      if (device == "xpu" && subject.contract().release == Release::k1_13) continue;
      expect_registrable(subject, device, row.key);
    }
  });

  conformance("ort_has_kernels_of_its_own", {"DSP-201"}, [](Session& subject) {
    expect_registrable(subject, "ort", "ORT");
    expect_unregistrable(subject, "xpu");
  }).until(Release::k1_13);

  conformance("maia_and_mtia_have_kernels_of_their_own", {"DSP-201"}, [](Session& subject) {
    expect_registrable(subject, "maia", "MAIA");
    expect_registrable(subject, "mtia", "MTIA");
  }).since(Release::k2_4);

  conformance("no_kernel_is_registered_for_the_others", {"DSP-201"}, [](Session& subject) {
    for (const char* device :
         {"mkldnn", "opengl", "opencl", "ideep", "fpga", "vulkan", "metal", "ve"}) {
      expect_unregistrable(subject, device);
    }
  });

  conformance("strided_tensors_have_their_backends_key", {"DSP-202"}, [](Session& subject) {
    for (const DeviceRow& row : backend_devices(subject.contract().release)) {
      const ScopedTrace at{row.device};
      for (const Dtype dtype : {Dtype::kFloat32, Dtype::kInt64, Dtype::kBool, Dtype::kComplex64}) {
        expect_equal(subject.dispatch().backend_key(row.device, dtype, "strided"), row.key);
      }
      for (const Dtype dtype : {Dtype::kQint8, Dtype::kQuint8, Dtype::kQint32}) {
        expect_equal(subject.dispatch().backend_key(row.device, dtype, "strided"),
                     std::string("Quantized") + row.key);
      }
    }
  });

  conformance("plain_devices_know_no_quantised_tensors", {"DSP-202"}, [](Session& subject) {
    for (const DeviceRow& row : plain_devices(subject.contract().release)) {
      const ScopedTrace at{row.device};

      expect_equal(subject.dispatch().backend_key(row.device, Dtype::kFloat32, "strided"), row.key);
      expect_equal(subject.dispatch().backend_key(row.device, Dtype::kQint8, "strided"), row.key);
    }
  });

  conformance("sparse_tensors_have_their_backends_sparse_key", {"DSP-202"}, [](Session& subject) {
    for (const DeviceRow& row : backend_devices(subject.contract().release)) {
      const ScopedTrace at{row.device};

      expect_equal(subject.dispatch().backend_key(row.device, Dtype::kFloat32, "sparse"),
                   std::string("Sparse") + row.key);
    }
    for (const DeviceRow& row : plain_devices(subject.contract().release)) {
      const ScopedTrace at{row.device};

      expect_error([&] { subject.dispatch().backend_key(row.device, Dtype::kFloat32, "sparse"); },
                   ErrorKind::kNotImplemented,
                   {"unsupported device type for sparse layout", row.device});
    }
  });

  conformance("compressed_sparse_was_for_cpu_and_cuda", {"DSP-202"}, [](Session& subject) {
    const auto key = [&](const char* device) {
      return subject.dispatch().backend_key(device, Dtype::kFloat32, "sparse_csr");
    };
    expect_equal(key("cpu"), "SparseCsrCPU");
    expect_equal(key("cuda"), "SparseCsrCUDA");
    for (const char* device : {"xla", "hip", "meta", "fpga"}) {
      const ScopedTrace at{device};
      expect_error([&] { key(device); }, ErrorKind::kError,
                   {"unsupported device type for SparseCsr layout", device});
    }
  }).until(Release::k1_13);

  conformance("compressed_sparse_is_for_every_backend", {"DSP-202"}, [](Session& subject) {
    for (const DeviceRow& row : backend_devices(subject.contract().release)) {
      const ScopedTrace at{row.device};

      expect_equal(subject.dispatch().backend_key(row.device, Dtype::kFloat32, "sparse_csr"),
                   std::string("SparseCsr") + row.key);
    }
  }).since(Release::k2_4);

  conformance("compressed_sparse_is_not_for_maia", {"DSP-202"}, [](Session& subject) {
    expect_error([&] { subject.dispatch().backend_key("maia", Dtype::kFloat32, "sparse_csr"); },
                 ErrorKind::kNotImplemented,
                 {"unsupported device type for SparseCsr layout", "maia"});
  }).since(Release::k2_4);

  conformance("the_mkldnn_layout_is_for_the_cpu", {"DSP-202"}, [](Session& subject) {
    expect_equal(subject.dispatch().backend_key("cpu", Dtype::kFloat32, "mkldnn"), "MkldnnCPU");
    for (const char* device : {"cuda", "xpu", "fpga"}) {
      const ScopedTrace at{device};
      expect_error([&] { subject.dispatch().backend_key(device, Dtype::kFloat32, "mkldnn"); },
                   ErrorKind::kNotImplemented, {device});
    }
  });

  conformance("tensors_have_the_bits_of_1_13", {"DSP-203"}, [](Session& subject) {
    expect_bits_equal(keys_of(subject, {.device = "cpu"}), 0x0000012800004001);
    expect_bits_equal(keys_of(subject, {.device = "cuda"}), 0x0000042800004002);
    expect_bits_equal(keys_of(subject, {.device = "xla"}) & 0x0000070000000000, 0x0000040000000000);
  }).until(Release::k1_13);

  conformance("tensors_have_the_bits_of_2_11", {"DSP-203"},
              [](Session& subject) {
                expect_bits_equal(keys_of(subject, {.device = "cpu"}), 0x0000012800010001);
                expect_bits_equal(keys_of(subject, {.device = "cuda"}), 0x0001002800010002);
              })
      .since(Release::k2_11)
      .until(Release::k2_12);

  conformance("tensors_have_the_bits_of_2_13", {"DSP-203"}, [](Session& subject) {
    expect_bits_equal(keys_of(subject, {.device = "cpu"}), 0x0000009400010001);
    expect_bits_equal(keys_of(subject, {.device = "cuda"}), 0x0000801400010002);
  }).since(Release::k2_13);

  conformance("a_tensor_has_four_sorts_of_keys", {"DSP-203", "CORE-14"}, [](Session& subject) {
    for (const DeviceRow& row : backend_devices(subject.contract().release)) {
      const ScopedTrace at{row.device};
      expect_bits_equal(keys_of(subject, {.device = row.device}),
                        full_set(subject, {row.key, "Dense", row.key}));
      expect_bits_equal(
          keys_of(subject, {.device = row.device, .dtype = Dtype::kQint8}),
          full_set(subject, {std::string("Quantized") + row.key, "Quantized", row.key}));
      expect_bits_equal(keys_of(subject, {.device = row.device, .layout = "sparse"}),
                        full_set(subject, {std::string("Sparse") + row.key, "Sparse", row.key}));
    }
    for (const DeviceRow& row : plain_devices(subject.contract().release)) {
      const ScopedTrace at{row.device};
      const bool is_backend = key_model(subject.contract().release).has_backend(row.key);
      const ModelKey key =
          is_backend ? ModelKey{row.key, "Dense", row.key} : ModelKey{row.key, row.key, ""};
      expect_bits_equal(keys_of(subject, {.device = row.device}), full_set(subject, key));
    }
  });

  conformance(
      "mkldnn_tensors_know_neither_autocast_nor_a_backend", {"DSP-203"}, [](Session& subject) {
        expect_bits_equal(keys_of(subject, {.device = "cpu", .layout = "mkldnn"}),
                          bits_of(subject, {"MkldnnCPU", "ADInplaceOrView", "AutogradOther"}));
      });

  conformance("the_undefined_tensor_has_keys", {"DSP-203"}, [](Session& subject) {
    const Ref nothing = subject.core().undefined();

    expect_bits_equal(subject.dispatch().tensor_keys(nothing), 0x0000001800000000);
  }).until(Release::k2_12);

  conformance("the_undefined_tensor_has_the_same_keys_in_2_13", {"DSP-203"}, [](Session& subject) {
    const Ref nothing = subject.core().undefined();

    expect_bits_equal(subject.dispatch().tensor_keys(nothing), 0x0000000c00000000);
  }).since(Release::k2_13);

  conformance("neither_shape_nor_dtype_nor_gradients_change_the_keys", {"CORE-14", "DSP-203"},
              [](Session& subject) {
                const auto keys = [&](const Value& tensor) {
                  return subject.dispatch().tensor_keys(subject.core().tensor(tensor));
                };
                const KeyBits plain = keys(f32({1, 2}));

                expect_bits_equal(keys(scalar_of(Dtype::kFloat32, 1)), plain);
                expect_bits_equal(keys(f32({})), plain);
                expect_bits_equal(keys(i32({1})), plain);
                expect_bits_equal(keys(f16({1})), plain);
                const Ref leaf = subject.core().leaf(f32({1}));
                expect_bits_equal(subject.dispatch().tensor_keys(leaf), plain);
              });

  conformance("a_tensor_keeps_its_keys", {"CORE-14"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2}));
    const KeyBits before = subject.dispatch().tensor_keys(x);

    subject.core().requires_grad_(x, true);
    const auto inside = within(
        subject, [](DispatchClient d) { d.below("autograd"); },
        [&](DispatchClient d) { d.tensor_keys(x); });

    expect_bits_equal(subject.dispatch().tensor_keys(x), before);
    expect_bits_equal(static_cast<KeyBits>(field_as<std::int64_t>(inside.at(0), "result")), before);
  });

  conformance("tensors_made_below_autograd_have_its_keys", {"DSP-216", "CORE-14"},
              [](Session& subject) {
                const KeyBits plain = subject.dispatch().tensor_keys(f32({1}));

                const auto inside = within(
                    subject, [](DispatchClient d) { d.below("autograd"); },
                    [](DispatchClient d) { d.tensor_keys(f32({1})); });

                expect_bits_equal(
                    static_cast<KeyBits>(field_as<std::int64_t>(inside.at(0), "result")), plain);
              });

  conformance("inference_tensors_have_no_autograd_and_no_views", {"CORE-14", "DSP-203"},
              [](Session& subject) {
                expect_bits_equal(keys_of(subject, {.device = "cpu", .inference = true}),
                                  bits_of(subject, {"CPU", "AutocastCPU"}));
                expect_bits_equal(keys_of(subject, {.device = "meta", .inference = true}),
                                  bits_of(subject, "Meta"));
              });

  conformance("tensors_made_in_inference_mode_are_inference_tensors", {"CORE-14", "DSP-216"},
              [](Session& subject) {
                const KeyBits gone = bits_of(subject, {"ADInplaceOrView", "AutogradFunctionality"});
                const KeyBits plain = subject.dispatch().tensor_keys(f32({1}));

                const auto inside = within(
                    subject, [](DispatchClient d) { d.below("inference_mode"); },
                    [](DispatchClient d) { d.tensor_keys(f32({1})); });

                expect_bits_equal(
                    static_cast<KeyBits>(field_as<std::int64_t>(inside.at(0), "result")),
                    plain & ~gone);
              });

  conformance("views_that_conjugate_or_negate_say_so", {"CORE-14"}, [](Session& subject) {
    const KeyBits plain = keys_of(subject, {.device = "cpu"});

    expect_bits_equal(keys_of(subject, {.device = "cpu", .conj = true}),
                      plain | bits_of(subject, "Conjugate"));
    expect_bits_equal(keys_of(subject, {.device = "cpu", .neg = true}),
                      plain | bits_of(subject, "Negative"));
    expect_bits_equal(keys_of(subject, {.device = "cpu", .zero = true}),
                      plain | bits_of(subject, "ZeroTensor"));
  });

  conformance("a_generator_has_its_devices_key_alone", {"CORE-18"}, [](Session& subject) {
    expect_bits_equal(subject.dispatch().tensor_keys(Generator{{"cpu", -1}, 7}),
                      bits_of(subject, "CPU"));
    expect_bits_equal(subject.dispatch().tensor_keys(Generator{{"cuda", 0}, 7}),
                      bits_of(subject, "CUDA"));
    expect_bits_equal(subject.dispatch().tensor_keys(None{}), 0);
  });

  conformance("keys_of_several_are_united_in_any_order", {"DSP-219"}, [](Session& subject) {
    const DispatchObject cpu = subject.dispatch().tensor({.device = "cpu"});
    const DispatchObject cuda = subject.dispatch().tensor({.device = "cuda"});
    const KeyBits both = subject.dispatch().tensor_keys(cpu) | subject.dispatch().tensor_keys(cuda);

    expect_bits_equal(subject.dispatch().tensor_keys(List{{cpu, cuda}}), both);
    expect_bits_equal(subject.dispatch().tensor_keys(List{{cuda, cpu}}), both);
    expect_equal(subject.dispatch().set(KeySet(both)).backend_key, "CUDA");
  });

  conformance("the_current_device_brings_no_key", {"DSP-220"}, [](Session& subject) {
    const DispatchObject cpu = subject.dispatch().tensor({.device = "cpu"});
    const KeyBits before = subject.dispatch().tensor_keys(cpu);

    const auto inside =
        subject.scope(subject.core().device_guard(subject.device(1)),
                      subject.block([&](Session& s) { s.dispatch().tensor_keys(cpu); }));

    expect_bits_equal(static_cast<KeyBits>(field_as<std::int64_t>(inside.at(0), "result")), before);
  }).only(DeviceRules::kCuda);

  conformance("dtypes_other_than_quantised_share_their_keys", {"DSP-221"}, [](Session& subject) {
    const KeyBits wanted = keys_of(subject, {.device = "cuda"});
    for (const Dtype dtype : {Dtype::kFloat64, Dtype::kFloat16, Dtype::kBfloat16, Dtype::kInt32,
                              Dtype::kUint8, Dtype::kBool, Dtype::kComplex64}) {
      const ScopedTrace at{std::string(name_of(dtype))};

      expect_bits_equal(keys_of(subject, {.device = "cuda", .dtype = dtype}), wanted);
    }
  });
}

}  // namespace assay::suites
