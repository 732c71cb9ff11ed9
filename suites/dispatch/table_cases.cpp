// The dispatch table: the kernel at each key, for the example tables of the clauses.
#include <array>

#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "table::f";
const char* const kCia = "CompositeImplicitAutograd";
const char* const kCea = "CompositeExplicitAutograd";
const char* const kCeaNonFunctional = "CompositeExplicitAutogradNonFunctional";
const char* const kCiaNested = "CompositeImplicitAutogradNestedTensor";

const std::array<const char*, 11> kColumns{"Undefined",
                                           "CPU",
                                           "CUDA",
                                           "XLA",
                                           "QuantizedCPU",
                                           "SparseCPU",
                                           "NestedTensorCPU",
                                           "AutogradCPU",
                                           "AutogradCUDA",
                                           "AutogradOther",
                                           "AutogradNestedTensor"};

/// A row: the registrations, and the expected kernel in each column. `.`: the result without any
/// kernel; `?`: ambiguous. Kernels have short names.
struct Row {
  const char* name;
  std::vector<const char*> registered;
  std::array<const char*, 11> wanted;
};

const std::vector<Row> kRows{
    {"C1", {}, {".", ".", ".", ".", ".", ".", ".", ".", ".", ".", "."}},
    {"C2", {"CPU"}, {".", "CPU", ".", ".", ".", ".", ".", ".", ".", ".", "."}},
    {"C3", {kCia}, {"i", "i", "i", "i", "i", "i", "i", "i", "i", "i", "i"}},
    {"C4", {"CPU", kCia}, {"i", "CPU", "i", "i", "i", "i", "i", ".", "i", "i", "i"}},
    {"C5", {kCea}, {"e", "e", "e", "e", "e", "e", ".", ".", ".", ".", "."}},
    {"C6", {kCea, kCia}, {"e", "e", "e", "e", "e", "e", ".", ".", ".", ".", "."}},
    {"C7", {kCeaNonFunctional}, {"n", "n", "n", ".", "n", ".", ".", ".", ".", ".", "."}},
    {"C8", {kCea, kCeaNonFunctional}, {"n", "n", "n", "e", "n", "e", ".", ".", ".", ".", "."}},
    {"C9", {kCia, kCeaNonFunctional}, {"n", "n", "n", "i", "n", "i", "i", "i", "i", "i", "i"}},
    {"C10",
     {"QuantizedCPU", kCia},
     {"i", "i", "i", "i", "QuantizedCPU", "i", "i", "i", "i", "?", "i"}},
    {"C11", {"Autograd", "FPGA", kCia}, {"i", "i", "i", "i", "i", "i", "i", "i", "i", "?", "i"}},
    {"C12",
     {"Autograd"},
     {".", ".", ".", ".", ".", ".", ".", "Autograd", "Autograd", "Autograd", "Autograd"}},
    {"C13",
     {kCea, kCia, "Autograd", "CPU"},
     {"e", "CPU", "e", "e", "e", "e", ".", "Autograd", "Autograd", "Autograd", "Autograd"}},
    {"C14", {kCia, kCiaNested}, {"i", "i", "i", "i", "i", "i", "t", "i", "i", "i", "t"}},
    {"C15", {kCiaNested}, {".", ".", ".", ".", ".", ".", "t", ".", ".", ".", "t"}},
    {"C16",
     {"NestedTensorCPU", kCia},
     {"i", "i", "i", "i", "i", "i", "NestedTensorCPU", "i", "i", "i", "."}},
};

std::string whole(const std::string& shorthand) {
  if (shorthand == "i") return kCia;
  if (shorthand == "e") return kCea;
  if (shorthand == "n") return kCeaNonFunctional;
  if (shorthand == "t") return kCiaNested;
  return shorthand == "?" ? "internal" : shorthand;
}

/// The expected result for an entry of `row`. Without registrations, that of an operator without
/// kernels; in later releases, the boxed step continues to the entry without a key.
std::string wanted_at(Session& subject, const Row& row, std::size_t column) {
  const std::string cell = row.wanted[column];
  if (cell != ".") return whole(cell);
  const std::string key = kColumns[column];
  const bool hops = !subject.contract().strict() && subject.contract().release != Release::k1_13 &&
                    key.starts_with("Autograd") && subject.dispatch().has_fallback(key);
  if (hops) return row.wanted[0] == std::string(".") ? "not_implemented" : whole(row.wanted[0]);
  return reached_at(subject, "table::bare", key);
}

void judge(Session& subject, const Row& row) {
  for (std::size_t column = 0; column < kColumns.size(); ++column) {
    const ScopedTrace cell(kColumns[column]);
    expect_text(reached_at(subject, kOp, kColumns[column]), wanted_at(subject, row, column));
  }
}

DispatchObject defined(Session& subject) {
  return subject.dispatch().def(kOp + "(Tensor x) -> Tensor");
}

std::string on(Session& subject, const KeySet& keys) {
  return reached(subject, kOp, {probe(subject, keys)});
}

}  // namespace

CASES("dispatch/table") {
  for (const Row& row : kRows) {
    conformance(std::string("row_") + row.name, {"DSP-501"}, [&row](Session& subject) {
      subject.dispatch().def("table::bare(Tensor x) -> Tensor");
      const auto def = defined(subject);
      for (const char* key : row.registered) at(subject, kOp, key);
      judge(subject, row);
    });

    conformance(std::string("row_") + row.name + "_registered_the_other_way_round",
                {"DSP-501", "DSP-509"},
                [&row](Session& subject) {
                  subject.dispatch().def("table::bare(Tensor x) -> Tensor");
                  for (auto key = row.registered.rbegin(); key != row.registered.rend(); ++key) {
                    at(subject, kOp, *key);
                  }
                  const auto def = defined(subject);
                  judge(subject, row);
                })
        .only(Deviations::kStrict);
  }

  conformance("a_batched_decomposition_stands_at_the_batched_key", {"DSP-501"},
              [](Session& subject) {
                const auto def = defined(subject);
                at(subject, kOp, "FuncTorchBatchedDecomposition");
                expect_text(reached_at(subject, kOp, "FuncTorchBatched"),
                            "FuncTorchBatchedDecomposition");
                expect_text(reached_at(subject, kOp, "CPU"), "not_implemented");
              })
      .since(Release::k2_4);

  conformance("functionalize_belongs_to_the_composite_kernel_in_2_4", {"DSP-501"},
              [](Session& subject) {
                const auto def = defined(subject);
                at(subject, kOp, "");
                expect_text(reached_at(subject, kOp, "Functionalize"),
                            reached_at(subject, kOp, "CPU"));
              })
      .since(Release::k2_4)
      .until(Release::k2_4);

  conformance("a_catch_all_covers_what_has_no_kernel_of_its_own", {"DSP-502"},
              [](Session& subject) {
                const auto def = defined(subject);
                const auto all = at(subject, kOp, "", "all");
                at(subject, kOp, "CPU");
                expect_text(on(subject, "CPU"), "CPU");
                expect_text(on(subject, "CUDA"), "all");
                all.drop();
                expect_text(on(subject, "CPU"), "CPU");
                expect_text(on(subject, "CUDA"), "not_implemented");
              });

  conformance("only_the_dense_kernel_of_a_backend_keeps_the_composite_away", {"DSP-503"},
              [](Session& subject) {
                const auto def = defined(subject);
                for (const char* key : {"QuantizedCUDA", "SparseCUDA", "NestedTensorCUDA"}) {
                  const ScopedTrace row(key);
                  const auto kernel = at(subject, kOp, key);
                  const auto all = at(subject, kOp, kCia, "all");
                  expect_text(reached_at(subject, kOp, "AutogradCUDA"), "all");
                  all.drop();
                  kernel.drop();
                }
                const auto dense = at(subject, kOp, "CUDA");
                at(subject, kOp, kCia, "all");
                expect_text(on(subject, {"CUDA", "AutogradCUDA"}), "CUDA");
                expect_text(on(subject, {"CPU", "AutogradCPU"}), "all");
              });

  conformance("each_backend_is_tied_to_its_own_autograd_key", {"DSP-503"}, [](Session& subject) {
    const auto def = defined(subject);
    std::vector<std::string> tied{"CPU",  "CUDA",        "XLA",         "MPS",
                                  "IPU",  "XPU",         "HPU",         "Lazy",
                                  "Meta", "PrivateUse1", "PrivateUse2", "PrivateUse3"};
    if (subject.contract().release >= Release::k2_11) tied.emplace_back("MAIA");
    for (const std::string& backend : tied) {
      const ScopedTrace row(backend);
      const auto kernel = at(subject, kOp, backend);
      const auto all = at(subject, kOp, kCia, "all");
      const auto x = probe(subject, {backend, "Autograd" + backend});
      expect_true(reached(subject, kOp, {x}) != "all", "the composite kernel does not run");
      expect_text(reached_at(subject, kOp, backend == "CPU" ? "AutogradCUDA" : "AutogradCPU"),
                  "all");
      kernel.drop();
      all.drop();
    }
  });

  conformance("backends_without_tie_leave_the_composite_at_autograd", {"DSP-503"},
              [](Session& subject) {
                const auto def = defined(subject);
                std::vector<std::string> untied{"HIP", "VE"};
                if (subject.contract().release != Release::k1_13) untied.emplace_back("MTIA");
                for (const std::string& backend : untied) {
                  const ScopedTrace row(backend);
                  const auto kernel = at(subject, kOp, backend);
                  const auto all = at(subject, kOp, kCia, "all");
                  expect_text(reached_at(subject, kOp, "Autograd" + backend), "all");
                  expect_text(reached_at(subject, kOp, "AutogradOther"), "all");
                  kernel.drop();
                  all.drop();
                }
              });

  conformance("an_explicit_composite_counts_as_kernel_of_every_backend", {"DSP-503", "DSP-506"},
              [](Session& subject) {
                const auto def = defined(subject);
                at(subject, kOp, kCea);
                at(subject, kOp, kCia);
                at(subject, kOp, "Autograd");
                for (const char* key : {"AutogradCPU", "AutogradXLA", "AutogradNestedTensor"}) {
                  expect_text(reached_at(subject, kOp, key), "Autograd");
                }
              });

  conformance("a_non_functional_composite_counts_for_no_backend", {"DSP-503"},
              [](Session& subject) {
                const auto def = defined(subject);
                at(subject, kOp, kCeaNonFunctional);
                at(subject, kOp, kCia);
                expect_text(reached_at(subject, kOp, "AutogradCPU"), kCia);
              });

  for (const char* key : {"FPGA", "Vulkan", "Metal", "MkldnnCPU", "CustomRNGKeyId", "SparseCsrCUDA",
                          "QuantizedCPU", "SparseCUDA"}) {
    conformance(std::string("the_autograd_entry_of_others_is_ambiguous_with_a_kernel_at_") + key,
                {"DSP-504", "DSP-503"}, [key](Session& subject) {
                  const auto def = defined(subject);
                  at(subject, kOp, key);
                  at(subject, kOp, kCia);
                  const auto plain = probe(subject, {key});
                  const auto differentiable = probe(subject, {key, "AutogradOther"});

                  expect_text(reached(subject, kOp, {plain}), key);
                  expect_error(
                      [&] { subject.dispatch().call(kOp, {differentiable}, {.boxed = true}); },
                      ErrorKind::kInternal, {kOp});
                });
  }

  conformance("an_autograd_kernel_does_not_resolve_the_ambiguity", {"DSP-504"},
              [](Session& subject) {
                const auto def = defined(subject);
                at(subject, kOp, "FPGA");
                at(subject, kOp, "Autograd");
                const auto all = at(subject, kOp, kCia);
                expect_text(on(subject, {"FPGA", "AutogradOther"}), "internal");
                const auto exact = at(subject, kOp, "AutogradOther");
                expect_text(on(subject, {"FPGA", "AutogradOther"}), "AutogradOther");
                exact.drop();
                all.drop();
                expect_text(on(subject, {"FPGA", "AutogradOther"}), "Autograd");
              });

  conformance("the_entry_without_a_key_is_filled_by_composites_alone", {"DSP-505"},
              [](Session& subject) {
                const auto def = defined(subject);
                subject.dispatch().fallback(boxed_kernel(subject, "fallback"), {.key = "CUDA"});
                for (const char* key : {"Autograd", kCiaNested, "CPU"}) at(subject, kOp, key);
                expect_text(reached_at(subject, kOp, "Undefined"), "not_implemented");
                for (const char* key : {kCia, kCea, kCeaNonFunctional}) {
                  at(subject, kOp, key);
                  expect_text(reached_at(subject, kOp, "Undefined"), key);
                }
              });

  conformance("a_backend_kernel_does_not_keep_the_composite_from_the_entry_without_a_key",
              {"DSP-505"}, [](Session& subject) {
                const auto def = defined(subject);
                for (const char* key : {"CPU", "FPGA", "NestedTensorCPU"}) at(subject, kOp, key);
                at(subject, kOp, kCia);
                expect_text(reached_at(subject, kOp, "Undefined"), kCia);
              });

  conformance("cpu_with_autograd_and_composite", {"DSP-506"}, [](Session& subject) {
    const auto def = defined(subject);
    for (const char* key : {"CPU", "Autograd", kCia}) at(subject, kOp, key);
    const std::vector<std::pair<const char*, const char*>> wanted{{"Undefined", kCia},
                                                                  {"CPU", "CPU"},
                                                                  {"CUDA", kCia},
                                                                  {"AutogradOther", kCia},
                                                                  {"AutogradCPU", "Autograd"},
                                                                  {"AutogradCUDA", kCia},
                                                                  {"AutogradXLA", kCia}};
    for (const auto& [key, label] : wanted) {
      const ScopedTrace row(key);
      expect_text(reached_at(subject, kOp, key), label);
    }
  });

  conformance("cpu_with_composite_and_no_autograd_kernel", {"DSP-507"}, [](Session& subject) {
    const auto def = defined(subject);
    at(subject, kOp, "CPU");
    at(subject, kOp, kCia, "composite");

    expect_text(reached(subject, kOp, {device_tensor(subject, "cpu")}), "CPU");
    const auto called =
        subject.dispatch().call(kOp, {device_tensor(subject, "cuda")}, {.boxed = true});
    expect_text(called.labels(), "composite");
    expect_text(called.ran.at(0).key, "AutogradCUDA");
  });

  conformance("a_quantised_kernel_is_hidden_at_autograd_level", {"DSP-508"}, [](Session& subject) {
    const auto def = defined(subject);
    at(subject, kOp, "QuantizedCPU");
    at(subject, kOp, kCia, "composite");
    const auto quantised = subject.dispatch().tensor({.device = "cpu", .dtype = Dtype::kQint8});
    const auto plain =
        subject.dispatch().tensor({.device = "cpu", .dtype = Dtype::kQint8, .inference = true});

    expect_text(reached(subject, kOp, {quantised}), "composite");
    expect_text(reached(subject, kOp, {plain}), "QuantizedCPU");
  });
}

}  // namespace assay::suites
