// Key sets: vectors of both layouts.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/dispatch.hpp"
#include "suites/dispatch/keys/set_bits.hpp"

namespace assay::suites {
namespace {

using Keys = std::vector<std::string>;

/// A row of the vectors: the set of one key, by release.
struct BitsRow {
  const char* key;
  KeyBits old_bits;
  std::int64_t old_slot;
  KeyBits new_bits;
  std::int64_t new_slot;
};

constexpr BitsRow kBits[] = {
    {"CPU", 0x0000000000004001, 1, 0x0000000000010001, 1},
    {"CUDA", 0x0000000000004002, 2, 0x0000000000010002, 2},
    {"Meta", 0x0000000000004400, 11, 0x0000000000018000, 16},
    {"QuantizedCPU", 0x0000000000080001, 19, 0x0000000000100001, 20},
    {"SparseCUDA", 0x0000000000400002, 36, 0x0000000000800002, 39},
    {"AutogradCPU", 0x0000002000000001, 76, 0x0000002000000001, 97},
    {"AutogradOther", 0x0000001000000000, 75, 0x0000001000000000, 96},
    {"AutocastCUDA", 0x0000040000000000, 94, 0x0001000000000000, 123},
    {"PythonDispatcher", 0x0020000000000000, 105, 0x4000000000000000, 137},
    {"Dense", 0x0000000000004000, 1, 0x0000000000010000, 1},
    {"Undefined", 0, 0, 0, 0},
};

void expect_bits_rows(Session& subject, bool is_old) {
  for (const BitsRow& row : kBits) {
    const ScopedTrace at{row.key};
    const SetInfo info = subject.dispatch().set(row.key);

    expect_set(info.set, is_old ? row.old_bits : row.new_bits);
    expect_equal(info.slot, is_old ? row.old_slot : row.new_slot);
  }
}

struct HighestRow {
  Keys keys;
  const char* highest;
  std::int64_t old_slot;
  std::int64_t new_slot;
};

std::vector<HighestRow> highest_rows() {
  return {{{"CPU", "CUDA"}, "CUDA", 2, 2},
          {{"CPU", "AutogradCUDA"}, "AutogradCUDA", 77, 98},
          {{"SparseCPU", "CUDA"}, "SparseCUDA", 36, 39},
          {{"CPU", "FPGA"}, "FPGA", 15, 17},
          {{"AutogradCPU", "AutogradOther"}, "AutogradCPU", 76, 97},
          {{"Functionalize", "SparseCUDA"}, "Functionalize", 69, 90}};
}

void expect_highest_rows(Session& subject, bool is_old) {
  for (const HighestRow& row : highest_rows()) {
    const ScopedTrace at{row.highest};
    const SetInfo info = subject.dispatch().set(KeySet(row.keys));

    expect_equal(info.highest, row.highest);
    expect_equal(info.slot, is_old ? row.old_slot : row.new_slot);
  }
}

struct NamedRow {
  const char* name;
  const char* key;  ///< empty for none
  KeyBits old_bits;
  KeyBits new_bits;
};

constexpr NamedRow kNamed[] = {
    {"full", "", 0x003fffffffffffff, 0x7fffffffffffffff},
    {"full_after", "AutogradOther", 0x0020000fffffffff, 0x4000000fffffffff},
    {"full_after", "ADInplaceOrView", 0x00200007ffffffff, 0x40000007ffffffff},
    {"full_after", "BackendSelect", 0x0020000003ffffff, 0x4000000003ffffff},
    {"after_autograd", "", 0x0020000fffffffff, 0x4000000fffffffff},
    {"after_ADInplaceOrView", "", 0x00200007ffffffff, 0x40000007ffffffff},
};

void expect_named_rows(Session& subject, bool is_old) {
  for (const NamedRow& row : kNamed) {
    const ScopedTrace at{std::string(row.name) + " " + row.key};
    const std::optional<std::string> key =
        *row.key == '\0' ? std::nullopt : std::optional<std::string>(row.key);

    expect_set(subject.dispatch().named_set(row.name, key), is_old ? row.old_bits : row.new_bits);
  }
}

}  // namespace

CASES("dispatch/set") {
  conformance("keys_have_the_bits_of_1_13", {"DSP-108", "DSP-113"}, [](Session& subject) {
    expect_bits_rows(subject, true);
  }).until(Release::k1_13);

  conformance("keys_have_the_bits_of_2_11", {"DSP-108", "DSP-113"}, [](Session& subject) {
    expect_bits_rows(subject, false);
  }).since(Release::k2_11);

  conformance("slots_of_sets_are_those_of_1_13", {"DSP-113", "DSP-112"}, [](Session& subject) {
    expect_highest_rows(subject, true);
    expect_equal(subject.dispatch().set({"Meta", "PrivateUse1"}).slot, 12);
  }).until(Release::k1_13);

  conformance("slots_of_sets_are_those_of_2_11", {"DSP-113", "DSP-112"}, [](Session& subject) {
    expect_highest_rows(subject, false);
    expect_equal(subject.dispatch().set({"Meta", "PrivateUse1"}).slot, 16);
  }).since(Release::k2_11);

  conformance("named_sets_have_the_bits_of_1_13", {"DSP-115"}, [](Session& subject) {
    expect_named_rows(subject, true);
  }).until(Release::k1_13);

  conformance("named_sets_have_the_bits_of_2_11", {"DSP-115"}, [](Session& subject) {
    expect_named_rows(subject, false);
  }).since(Release::k2_11);
}

}  // namespace assay::suites
