// Sets of keys: vectors of both layouts, and the algebra over all pairs of keys.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/dispatch.hpp"
#include "suites/dispatch/key_lists.hpp"

namespace assay::suites {
namespace {

using Keys = std::vector<std::string>;

std::int64_t signed_bits(KeyBits bits) { return static_cast<std::int64_t>(bits); }

void expect_set(KeyBits got, KeyBits wanted, Where where = Where::current()) {
  expect_equal(signed_bits(got), signed_bits(wanted), where);
}

void expect_keys(const Keys& got, const Keys& wanted, Where where = Where::current()) {
  List left;
  List right;
  for (const std::string& key : got) left.items.emplace_back(key);
  for (const std::string& key : wanted) right.items.emplace_back(key);
  expect_equal(Value(left), Value(right), where);
}

const KeyModel& model_of(const Session& subject) { return key_model(subject.contract().release); }

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
    const At at{row.key};
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
    const At at{row.highest};
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
    const At at{std::string(row.name) + " " + row.key};
    const std::optional<std::string> key =
        *row.key == '\0' ? std::nullopt : std::optional<std::string>(row.key);

    expect_set(subject.dispatch().named_set(row.name, key), is_old ? row.old_bits : row.new_bits);
  }
}

/// Every ninth key with every key: all kinds meet all kinds, in a number of commands that a process
/// answers in seconds.
template <typename Visit>
void for_pairs(const KeyModel& model, const Visit& visit) {
  for (std::size_t i = 0; i < model.keys().size(); i += 9) {
    for (const ModelKey& other : model.keys()) visit(model.keys()[i], other);
  }
}

void expect_operation(Session& subject, KeyBits a, const char* operation, KeyBits b,
                      KeyBits wanted) {
  const At at{std::string(operation)};
  const Value operand = signed_bits(b);
  expect_set(subject.dispatch().set(KeySet(a), operation, operand).set, wanted);
}

}  // namespace

CASES("dispatch/set") {
  conformance("keys_have_the_bits_of_1_13", {"DSP-108", "DSP-113"}, [](Session& subject) {
    expect_bits_rows(subject, true);
  }).until(Release::k1_13);

  conformance("keys_have_the_bits_of_2_11", {"DSP-108", "DSP-113"}, [](Session& subject) {
    expect_bits_rows(subject, false);
  }).since(Release::k2_11);

  conformance("a_key_is_its_functionality_and_its_backend", {"DSP-108"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    for (const ModelKey& key : model.keys()) {
      const At at{key.name};

      expect_set(subject.dispatch().set(key.name).set, model.set_of(key));
    }
  });

  conformance("sets_are_functionalities_times_backends", {"DSP-108"}, [](Session& subject) {
    const KeyBits one = subject.dispatch().set({"CPU", "AutogradCUDA"}).set;
    const KeyBits other = subject.dispatch().set({"CUDA", "AutogradCPU"}).set;
    const KeyBits both = subject.dispatch().set({"CPU", "CUDA", "AutogradCPU", "AutogradCUDA"}).set;

    expect_set(one, other);
    expect_set(one, both);
  });

  conformance("has_asks_for_all_bits_of_the_key", {"DSP-109"}, [](Session& subject) {
    const KeySet set = {"CPU", "AutogradCUDA"};

    expect_true(subject.dispatch().has(set, "CUDA"), "CUDA comes with AutogradCUDA and CPU");
    expect_true(subject.dispatch().has(set, "AutogradCPU"), "and AutogradCPU");
    expect_false(subject.dispatch().has(set, "SparseCUDA"), "no Sparse");
    expect_false(subject.dispatch().has(set, "XLA"), "no XLA");
    expect_false(subject.dispatch().has("AutogradCUDA", "CUDA"), "a backend is no kernel");
  });

  conformance("has_all_is_the_superset", {"DSP-109"}, [](Session& subject) {
    expect_true(subject.dispatch().has_all({"CPU", "AutogradCUDA"}, {"CUDA", "AutogradCPU"}),
                "all four are in");
    expect_false(subject.dispatch().has_all({"CPU", "AutogradCPU"}, {"CPU", "AutogradCUDA"}),
                 "CUDA is missing");
  });

  conformance("has_any_is_one_common_bit", {"DSP-109"}, [](Session& subject) {
    expect_true(subject.dispatch().has_any({"CPU", "Tracer"}, {"Tracer", "Python"}), "Tracer");
    expect_false(subject.dispatch().has_any({"CPU", "Tracer"}, {"Python", "BackendSelect"}),
                 "nothing in common");
    expect_true(subject.dispatch().has_any("AutogradCUDA", "AutogradFunctionality"),
                "a functionality for any backend");
  });

  conformance("has_any_refuses_backends_with_their_functionalities", {"DSP-109"},
              [](Session& subject) {
                expect_error(
                    [&] {
                      subject.dispatch().has_any({"CPU", "CUDA"}, "CUDA");
                    },
                    ErrorKind::kInternal);
              })
      .only(Deviations::kStrict);

  conformance("no_set_is_asked_for_undefined", {"DSP-109"}, [](Session& subject) {
    expect_error([&] { subject.dispatch().has("CPU", "Undefined"); }, ErrorKind::kInternal);
  }).only(Deviations::kStrict);

  conformance("or_and_and_xor_act_on_all_bits", {"DSP-110"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    for_pairs(model, [&](const ModelKey& left, const ModelKey& right) {
      const At at{left.name + ", " + right.name};
      const KeyBits a = model.set_of(left);
      const KeyBits b = model.set_of(right);
      expect_operation(subject, a, "or", b, a | b);
      expect_operation(subject, a, "and", b, a & b);
      expect_operation(subject, a, "xor", b, a ^ b);
    });
  });

  conformance("add_unites_with_the_key", {"DSP-110"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    for (const ModelKey& key : model.keys()) {
      const At at{key.name};
      const KeyBits before = model.functionality_bit("Sparse") | model.backend_bit("XLA");

      expect_set(subject.dispatch().set(KeySet(before), "add", key.name).set,
                 before | model.set_of(key));
    }
  });

  conformance("backends_alone_are_neither_empty_nor_a_key", {"DSP-110"}, [](Session& subject) {
    const Value cuda = signed_bits(subject.dispatch().set("CUDA").set);
    const SetInfo left = subject.dispatch().set("CPU", "xor", cuda);

    expect_set(left.set, 0x3);
    expect_false(left.empty, "two bits are left");
    expect_equal(left.highest, "Undefined");
    expect_keys(left.keys, {});
  });

  conformance("difference_takes_functionalities_and_leaves_backends", {"DSP-111"},
              [](Session& subject) {
                const KeyModel& model = model_of(subject);
                for_pairs(model, [&](const ModelKey& left, const ModelKey& right) {
                  const At at{left.name + " - " + right.name};
                  const KeyBits a = model.set_of(left) | model.functionality_bit("Tracer");
                  const KeyBits b = model.set_of(right);
                  expect_operation(subject, a, "minus", b, a & ~(b & ~model.all_backends()));
                });
              });

  conformance("taking_cuda_takes_the_cpu_as_well", {"DSP-111"}, [](Session& subject) {
    const SetInfo left =
        subject.dispatch().set({"CPU", "CUDA", "AutogradCPU"}, "minus", List{{"CUDA"}});

    expect_keys(left.keys, {"AutogradCPU", "AutogradCUDA"});
  });

  conformance("removing_a_key_leaves_its_backend", {"DSP-111"}, [](Session& subject) {
    const SetInfo left = subject.dispatch().set("CPU", "remove", "CPU");

    expect_set(left.set, 0x1);
    expect_false(left.empty, "the backend's bit is left");
    expect_equal(left.highest, "Undefined");
    expect_keys(left.keys, {});
  });

  conformance("removals_have_the_bits_of_1_13", {"DSP-111"}, [](Session& subject) {
    const KeySet set = {"CPU", "CUDA", "AutogradCUDA"};

    expect_set(subject.dispatch().set(set, "remove", "AutogradCUDA").set, 0x0000000000004003);
    expect_set(subject.dispatch().set(set, "minus", List{{"CUDA"}}).set, 0x0000002000000003);
    expect_set(subject.dispatch().set(set, "remove_backend", "CUDA").set, 0x0000002000004001);
  }).until(Release::k1_13);

  conformance("removals_have_the_bits_of_2_11", {"DSP-111"}, [](Session& subject) {
    const KeySet set = {"CPU", "CUDA", "AutogradCUDA"};

    expect_set(subject.dispatch().set(set, "remove", "AutogradCUDA").set, 0x0000000000010003);
    expect_set(subject.dispatch().set(set, "minus", List{{"CUDA"}}).set, 0x0000002000000003);
    expect_set(subject.dispatch().set(set, "remove_backend", "CUDA").set, 0x0000002000010001);
  }).since(Release::k2_11);

  conformance("the_highest_key_has_the_highest_functionality_and_backend", {"DSP-112"},
              [](Session& subject) {
                const KeyModel& model = model_of(subject);
                for_pairs(model, [&](const ModelKey& left, const ModelKey& right) {
                  const At at{left.name + ", " + right.name};
                  const KeyBits both = model.set_of(left) | model.set_of(right);

                  expect_equal(subject.dispatch().set(KeySet(both)).highest,
                               model.highest_in(both));
                });
              });

  conformance("a_functionality_without_a_backend_has_the_cpus_slot", {"DSP-112"},
              [](Session& subject) {
                const SetInfo sparse = subject.dispatch().set("Sparse");

                expect_equal(sparse.slot,
                             subject.dispatch().key("SparseCPU").slot.get().value_or(-1));
                expect_equal(sparse.highest, "Sparse");
              })
      .only(Deviations::kStrict);

  conformance("a_missing_backend_is_called_unknown_in_1_13", {"DSP-112"},
              [](Session& subject) {
                expect_equal(subject.dispatch().set("AutogradFunctionality").highest,
                             "AutogradUnknown");
                expect_equal(subject.dispatch().set({"Sparse", "Tracer"}).highest, "Tracer");
                expect_equal(subject.dispatch().set("Dense").highest, "Unknown");
              })
      .until(Release::k1_13)
      .only(Deviations::kCompat);

  conformance("a_missing_backend_is_called_undefined", {"DSP-112"},
              [](Session& subject) {
                expect_equal(subject.dispatch().set("AutogradFunctionality").highest,
                             "AutogradUndefined");
                expect_equal(subject.dispatch().set({"Sparse", "Tracer"}).highest, "Tracer");
                expect_equal(subject.dispatch().set("Dense").highest, "Undefined");
              })
      .since(Release::k2_4)
      .only(Deviations::kCompat);

  conformance("slots_of_sets_are_those_of_1_13", {"DSP-113", "DSP-112"}, [](Session& subject) {
    expect_highest_rows(subject, true);
    expect_equal(subject.dispatch().set({"Meta", "PrivateUse1"}).slot, 12);
  }).until(Release::k1_13);

  conformance("slots_of_sets_are_those_of_2_11", {"DSP-113", "DSP-112"}, [](Session& subject) {
    expect_highest_rows(subject, false);
    expect_equal(subject.dispatch().set({"Meta", "PrivateUse1"}).slot, 16);
  }).since(Release::k2_11);

  conformance("a_sets_slot_is_its_highest_keys", {"DSP-113"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    for (const ModelKey& key : model.keys()) {
      const At at{key.name};
      const SetInfo both = subject.dispatch().set({key.name, "CPU"});

      expect_equal(both.slot, subject.dispatch().key(both.highest).slot.get().value_or(-1));
    }
  });

  conformance("iteration_yields_every_key_whose_bits_are_in", {"DSP-114"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    for_pairs(model, [&](const ModelKey& left, const ModelKey& right) {
      const At at{left.name + ", " + right.name};
      const KeyBits both = model.set_of(left) | model.set_of(right);

      expect_keys(subject.dispatch().set(KeySet(both)).keys, model.keys_in(both));
    });
  });

  conformance("the_full_set_yields_every_key_but_undefined", {"DSP-114"}, [](Session& subject) {
    const KeyBits full = subject.dispatch().keys().full;
    const SetInfo info = subject.dispatch().set(KeySet(full));

    expect_equal(static_cast<std::int64_t>(info.keys.size()), subject.dispatch().keys().slots - 1);
  });

  conformance("named_sets_have_the_bits_of_1_13", {"DSP-115"}, [](Session& subject) {
    expect_named_rows(subject, true);
  }).until(Release::k1_13);

  conformance("named_sets_have_the_bits_of_2_11", {"DSP-115"}, [](Session& subject) {
    expect_named_rows(subject, false);
  }).since(Release::k2_11);

  conformance("full_after_is_everything_below_and_the_python_dispatcher", {"DSP-115"},
              [](Session& subject) {
                const KeyModel& model = model_of(subject);
                for (const ModelKey& key : model.keys()) {
                  const At at{key.name};
                  const KeyBits below = model.functionality_bit(key.functionality) - 1;

                  expect_set(subject.dispatch().named_set("full_after", key.name),
                             below | model.functionality_bit("PythonDispatcher"));
                }
              });

  conformance("after_functionalize_views_are_gone_too", {"DSP-115"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    const KeyBits after = subject.dispatch().named_set("after_functionalize");

    expect_set(after, (model.functionality_bit("Functionalize") - 1) |
                          model.functionality_bit("PythonDispatcher"));
  });

  conformance("sets_are_printed_in_the_order_of_iteration", {"DSP-116"}, [](Session& subject) {
    expect_equal(subject.dispatch().set({"AutogradCPU", "CPU"}).text,
                 "DispatchKeySet(CPU, AutogradCPU)");
    expect_equal(subject.dispatch().set(KeySet(KeyBits{0})).text, "DispatchKeySet()");
    expect_equal(subject.dispatch().set({"CUDA", "AutogradCPU", "Tracer"}).text,
                 "DispatchKeySet(CPU, CUDA, AutogradCPU, AutogradCUDA, Tracer)");
  });

  conformance("the_backend_key_is_the_highest_that_has_kernels", {"DSP-117"}, [](Session& subject) {
    const auto backend_key = [&](const KeySet& set) {
      return subject.dispatch().set(set).backend_key;
    };
    expect_equal(backend_key({"AutogradCPU", "CPU"}), "CPU");
    expect_equal(backend_key({"Functionalize", "SparseCUDA"}), "SparseCUDA");
    expect_equal(backend_key({"CUDA", "QuantizedCUDA"}), "QuantizedCUDA");
    expect_equal(backend_key({"NestedTensorCPU", "CUDA"}), "CUDA");
    expect_equal(backend_key({"AutogradCPU", "Tracer"}), "Undefined");
  });

  conformance("compressed_sparse_has_kernels_of_backends_too", {"DSP-117"}, [](Session& subject) {
    expect_equal(subject.dispatch().set({"SparseCsrCPU", "AutogradCPU"}).backend_key,
                 "SparseCsrCPU");
  }).since(Release::k2_4);
}

}  // namespace assay::suites
