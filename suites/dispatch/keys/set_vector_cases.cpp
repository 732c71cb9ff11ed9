// Key sets: vectors of three layouts.
#include <array>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/dispatch.hpp"
#include "suites/dispatch/keys/set_bits.hpp"

namespace assay::suites {
namespace {

using Keys = std::vector<std::string>;

/// The releases whose bits are listed; 2.4 has no rows.
enum Column : std::size_t { k1_13, k2_11, k2_13 };
template <typename T>
using ByColumn = std::array<T, 3>;

/// A row of the vectors: the set of one key, by release.
struct BitsRow {
  const char* key;
  ByColumn<KeyBits> bits;
  ByColumn<std::int64_t> slots;
};

constexpr BitsRow kBits[] = {
    {"CPU", {0x0000000000004001, 0x0000000000010001, 0x0000000000010001}, {1, 1, 1}},
    {"CUDA", {0x0000000000004002, 0x0000000000010002, 0x0000000000010002}, {2, 2, 2}},
    {"Meta", {0x0000000000004400, 0x0000000000018000, 0x0000000000018000}, {11, 16, 16}},
    {"QuantizedCPU", {0x0000000000080001, 0x0000000000100001, 0x0000000000100001}, {19, 20, 20}},
    {"SparseCUDA", {0x0000000000400002, 0x0000000000800002, 0x0000000000800002}, {36, 39, 39}},
    {"AutogradCPU", {0x0000002000000001, 0x0000002000000001, 0x0000001000000001}, {76, 97, 96}},
    {"AutogradOther", {0x0000001000000000, 0x0000001000000000, 0x0000000800000000}, {75, 96, 95}},
    {"AutocastCUDA", {0x0000040000000000, 0x0001000000000000, 0x0000800000000000}, {94, 123, 122}},
    {"PythonDispatcher",
     {0x0020000000000000, 0x4000000000000000, 0x2000000000000000},
     {105, 137, 136}},
    {"Dense", {0x0000000000004000, 0x0000000000010000, 0x0000000000010000}, {1, 1, 1}},
    {"Undefined", {0, 0, 0}, {0, 0, 0}},
};

void expect_bits_rows(Session& subject, Column column) {
  for (const BitsRow& row : kBits) {
    const ScopedTrace at{row.key};
    const SetInfo info = subject.dispatch().set(row.key);

    expect_set(info.set, row.bits[column]);
    expect_equal(info.slot, row.slots[column]);
  }
}

struct HighestRow {
  Keys keys;
  const char* highest;
  ByColumn<std::int64_t> slots;
};

std::vector<HighestRow> highest_rows() {
  return {{{"CPU", "CUDA"}, "CUDA", {2, 2, 2}},
          {{"CPU", "AutogradCUDA"}, "AutogradCUDA", {77, 98, 97}},
          {{"SparseCPU", "CUDA"}, "SparseCUDA", {36, 39, 39}},
          {{"CPU", "FPGA"}, "FPGA", {15, 17, 17}},
          {{"AutogradCPU", "AutogradOther"}, "AutogradCPU", {76, 97, 96}},
          {{"Functionalize", "SparseCUDA"}, "Functionalize", {69, 90, 90}}};
}

void expect_highest_rows(Session& subject, Column column) {
  for (const HighestRow& row : highest_rows()) {
    const ScopedTrace at{row.highest};
    const SetInfo info = subject.dispatch().set(KeySet(row.keys));

    expect_equal(info.highest, row.highest);
    expect_equal(info.slot, row.slots[column]);
  }
  const std::int64_t of_two = column == k1_13 ? 12 : 16;
  expect_equal(subject.dispatch().set({"Meta", "PrivateUse1"}).slot, of_two);
}

struct NamedRow {
  const char* name;
  const char* key;  ///< empty for none
  ByColumn<KeyBits> bits;
};

constexpr NamedRow kNamed[] = {
    {"full", "", {0x003fffffffffffff, 0x7fffffffffffffff, 0x3fffffffffffffff}},
    {"full_after", "AutogradOther", {0x0020000fffffffff, 0x4000000fffffffff, 0x20000007ffffffff}},
    {"full_after", "ADInplaceOrView", {0x00200007ffffffff, 0x40000007ffffffff, 0x20000003ffffffff}},
    {"full_after", "BackendSelect", {0x0020000003ffffff, 0x4000000003ffffff, 0x2000000003ffffff}},
    {"after_autograd", "", {0x0020000fffffffff, 0x4000000fffffffff, 0x20000007ffffffff}},
    {"after_ADInplaceOrView", "", {0x00200007ffffffff, 0x40000007ffffffff, 0x20000003ffffffff}},
};

void expect_named_rows(Session& subject, Column column) {
  for (const NamedRow& row : kNamed) {
    const ScopedTrace at{std::string(row.name) + " " + row.key};
    const std::optional<std::string> key =
        *row.key == '\0' ? std::nullopt : std::optional<std::string>(row.key);

    expect_set(subject.dispatch().named_set(row.name, key), row.bits[column]);
  }
}

}  // namespace

CASES("dispatch/set") {
  conformance("keys_have_the_bits_of_1_13", {"DSP-108", "DSP-113"}, [](Session& subject) {
    expect_bits_rows(subject, k1_13);
  }).until(Release::k1_13);

  conformance("keys_have_the_bits_of_2_11", {"DSP-108", "DSP-113"},
              [](Session& subject) { expect_bits_rows(subject, k2_11); })
      .since(Release::k2_11)
      .until(Release::k2_12);

  conformance("keys_have_the_bits_of_2_13", {"DSP-108", "DSP-113"}, [](Session& subject) {
    expect_bits_rows(subject, k2_13);
  }).since(Release::k2_13);

  conformance("slots_of_sets_are_those_of_1_13", {"DSP-113", "DSP-112"}, [](Session& subject) {
    expect_highest_rows(subject, k1_13);
  }).until(Release::k1_13);

  conformance("slots_of_sets_are_those_of_2_11", {"DSP-113", "DSP-112"},
              [](Session& subject) { expect_highest_rows(subject, k2_11); })
      .since(Release::k2_11)
      .until(Release::k2_12);

  conformance("slots_of_sets_are_those_of_2_13", {"DSP-113", "DSP-112"}, [](Session& subject) {
    expect_highest_rows(subject, k2_13);
  }).since(Release::k2_13);

  conformance("named_sets_have_the_bits_of_1_13", {"DSP-115"}, [](Session& subject) {
    expect_named_rows(subject, k1_13);
  }).until(Release::k1_13);

  conformance("named_sets_have_the_bits_of_2_11", {"DSP-115"},
              [](Session& subject) { expect_named_rows(subject, k2_11); })
      .since(Release::k2_11)
      .until(Release::k2_12);

  conformance("named_sets_have_the_bits_of_2_13", {"DSP-115"}, [](Session& subject) {
    expect_named_rows(subject, k2_13);
  }).since(Release::k2_13);
}

}  // namespace assay::suites
