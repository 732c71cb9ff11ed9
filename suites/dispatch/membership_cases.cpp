// The keys that each alias stands for.
#include <set>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/dispatch.hpp"
#include "suites/dispatch/keys/key_lists.hpp"

namespace assay::suites {
namespace {

using Names = std::set<std::string>;

/// The keys with backend kernels: B in DSP-106.
bool is_of_backends(const ModelKey& key) {
  static const Names kFunctionalities = {
      "Dense", "Quantized",      "Sparse",    "FPGA",      "ORT",          "Vulkan",       "Metal",
      "MAIA",  "CustomRNGKeyId", "MkldnnCPU", "SparseCsr", "SparseCsrCPU", "SparseCsrCUDA"};
  return kFunctionalities.contains(key.functionality);
}

bool is_autograd(const ModelKey& key) {
  static const Names kFunctionalities = {"AutogradOther", "AutogradFunctionality",
                                         "AutogradNestedTensor"};
  return kFunctionalities.contains(key.functionality);
}

bool is_nested(const ModelKey& key) { return key.functionality == "NestedTensor"; }

bool is_member(const ModelKey& key, const std::string& alias, Release release) {
  if (alias == "CompositeExplicitAutograd") return is_of_backends(key);
  if (alias == "CompositeExplicitAutogradNonFunctional") {
    return is_of_backends(key) && key.functionality != "Sparse" && key.backend != "XLA" &&
           key.backend != "Lazy";
  }
  if (alias == "Autograd") return is_autograd(key);
  if (alias == "CompositeImplicitAutograd") {
    const bool functionalizes = key.name == "Functionalize" && release == Release::k2_4;
    return is_of_backends(key) || is_autograd(key) || is_nested(key) || functionalizes;
  }
  if (alias == "CompositeImplicitAutogradNestedTensor") {
    return is_nested(key) || key.name == "AutogradNestedTensor";
  }
  return key.name == "FuncTorchBatched";
}

KeyBits united(Session& subject, const std::string& alias) {
  return subject.dispatch().set(KeySet(subject.dispatch().members(alias))).set;
}

void expect_bits_of(Session& subject, const std::string& alias, std::uint64_t wanted) {
  const ScopedTrace at{alias};
  expect_equal(static_cast<std::int64_t>(united(subject, alias)),
               static_cast<std::int64_t>(wanted));
}

}  // namespace

CASES("dispatch/membership") {
  conformance("an_alias_stands_for_the_keys_of_its_list", {"DSP-106"}, [](Session& subject) {
    const KeyModel& model = key_model(subject.contract().release);
    for (const std::string& alias : model.aliases()) {
      const std::vector<std::string> members = subject.dispatch().members(alias);
      for (const ModelKey& key : model.keys()) {
        const ScopedTrace at{key.name + " of " + alias};

        expect_equal(is_one_of(members, key.name),
                     is_member(key, alias, subject.contract().release));
      }
    }
  });

  conformance("members_come_in_the_order_of_slots", {"DSP-106"}, [](Session& subject) {
    std::int64_t before = 0;
    for (const std::string& name : subject.dispatch().members("CompositeImplicitAutograd")) {
      const ScopedTrace at{name};
      const std::int64_t slot = subject.dispatch().key(name).slot.get().value_or(-1);

      expect_true(slot > before, "each slot is higher than the one before");
      before = slot;
    }
  });

  conformance("members_have_the_bits_of_1_13", {"DSP-106"}, [](Session& subject) {
    expect_bits_of(subject, "Autograd", 0x0000007000003fff);
    expect_bits_of(subject, "CompositeExplicitAutograd", 0x0000000001ffffff);
    expect_bits_of(subject, "CompositeExplicitAutogradNonFunctional", 0x0000000001bffdf7);
  }).until(Release::k1_13);

  conformance("members_have_the_bits_of_2_11", {"DSP-106"},
              [](Session& subject) {
                expect_bits_of(subject, "Autograd", 0x000000700000ffff);
                expect_bits_of(subject, "CompositeExplicitAutograd", 0x0000000001ffffff);
                expect_bits_of(subject, "CompositeExplicitAutogradNonFunctional",
                               0x00000000017ffdf7);
              })
      .since(Release::k2_11)
      .until(Release::k2_12);

  conformance("members_have_the_bits_of_2_13", {"DSP-106"}, [](Session& subject) {
    expect_bits_of(subject, "Autograd", 0x000000380000ffff);
    expect_bits_of(subject, "CompositeExplicitAutograd", 0x0000000001ffffff);
    expect_bits_of(subject, "CompositeExplicitAutogradNonFunctional", 0x00000000017ffdf7);
  }).since(Release::k2_13);

  conformance("undefined_is_no_alias", {"DSP-106"}, [](Session& subject) {
    expect_error([&] { subject.dispatch().members("Undefined"); }, ErrorKind::kInternal,
                 {"Undefined"});
  });
}

}  // namespace assay::suites
