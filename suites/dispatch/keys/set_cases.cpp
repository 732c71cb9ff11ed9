// Key sets: the algebra over all pairs of keys.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/dispatch.hpp"
#include "suites/dispatch/keys/key_lists.hpp"
#include "suites/dispatch/keys/set_bits.hpp"
#include "suites/dispatch/scopes.hpp"

namespace assay::suites {
namespace {

using Keys = std::vector<std::string>;

void expect_keys(const Keys& got, const Keys& wanted, Where where = Where::current()) {
  List left;
  List right;
  for (const std::string& key : got) left.items.emplace_back(key);
  for (const std::string& key : wanted) right.items.emplace_back(key);
  expect_equal(Value(left), Value(right), where);
}

const KeyModel& model_of(const Session& subject) { return key_model(subject.contract().release); }

/// Every ninth key with every key: covers all combinations of kinds with a number of commands that
/// a process answers in seconds.
template <typename Visit>
void for_pairs(const KeyModel& model, const Visit& visit) {
  for (std::size_t i = 0; i < model.keys().size(); i += 9) {
    for (const ModelKey& other : model.keys()) visit(model.keys()[i], other);
  }
}

void expect_operation(Session& subject, KeyBits a, const char* operation, KeyBits b,
                      KeyBits wanted) {
  const ScopedTrace at{std::string(operation)};
  const Value operand = signed_bits(b);
  expect_set(subject.dispatch().set(KeySet(a), operation, operand).set, wanted);
}

}  // namespace

CASES("dispatch/set") {
  conformance("a_key_is_its_functionality_and_its_backend", {"DSP-108"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    for (const ModelKey& key : model.keys()) {
      const ScopedTrace at{key.name};

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
    expect_true(subject.dispatch().has(set, "AutogradCPU"), "AutogradCPU comes with them");
    expect_false(subject.dispatch().has(set, "SparseCUDA"), "SparseCUDA is not in");
    expect_false(subject.dispatch().has(set, "XLA"), "XLA is not in");
    expect_false(subject.dispatch().has("AutogradCUDA", "CUDA"), "a backend is not a kernel");
  });

  conformance("has_all_is_the_superset", {"DSP-109"}, [](Session& subject) {
    expect_true(subject.dispatch().has_all({"CPU", "AutogradCUDA"}, {"CUDA", "AutogradCPU"}),
                "all four are in");
    expect_false(subject.dispatch().has_all({"CPU", "AutogradCPU"}, {"CPU", "AutogradCUDA"}),
                 "CUDA is not in the set");
  });

  conformance("has_any_is_one_common_bit", {"DSP-109"}, [](Session& subject) {
    expect_true(subject.dispatch().has_any({"CPU", "Tracer"}, {"Tracer", "Python"}),
                "both have Tracer");
    expect_false(subject.dispatch().has_any({"CPU", "Tracer"}, {"Python", "BackendSelect"}),
                 "the sets have nothing in common");
    expect_true(subject.dispatch().has_any("AutogradCUDA", "AutogradFunctionality"),
                "a functionality is found with any backend");
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

  conformance("pytorch_checks_no_question_about_a_set", {"DSP-109"}, [](Session& subject) {
    expect_true(subject.dispatch().has_any({"CPU", "CUDA"}, "CUDA"), "CUDA is in");
    expect_true(subject.dispatch().has_any("CUDA", "AutogradCUDA"),
                "the sets have one backend in common");
    expect_false(subject.dispatch().has_any("Tracer", "CUDA"), "the sets have nothing in common");
    expect_true(subject.dispatch().has("CPU", "Undefined"), "no bit is missing");
  }).only(Deviations::kCompat);

  conformance("after_no_key_come_all_backends_but_the_highest", {"DSP-115"}, [](Session& subject) {
    const auto count = subject.dispatch().keys().backends.size();
    const KeyBits backends = (KeyBits{1} << (count - 1)) - 1;
    const KeyBits last = subject.dispatch().set("PythonDispatcher").set;
    for (const char* key : {"Undefined", "Autograd", "CompositeImplicitAutograd"}) {
      const ScopedTrace at{key};
      expect_bits_equal(subject.dispatch().named_set("full_after", key), backends | last);
    }
  });

  conformance("no_set_is_asked_for_undefined", {"DSP-109"}, [](Session& subject) {
    expect_error([&] { subject.dispatch().has("CPU", "Undefined"); }, ErrorKind::kInternal);
  }).only(Deviations::kStrict);

  conformance("or_and_and_xor_act_on_all_bits", {"DSP-110"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    for_pairs(model, [&](const ModelKey& left, const ModelKey& right) {
      const ScopedTrace at{left.name + ", " + right.name};
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
      const ScopedTrace at{key.name};
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
                  const ScopedTrace at{left.name + " - " + right.name};
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

  conformance("removals_have_the_bits_of_2_11", {"DSP-111"},
              [](Session& subject) {
                const KeySet set = {"CPU", "CUDA", "AutogradCUDA"};
                const auto left = [&](const char* operation, const Value& b) {
                  return subject.dispatch().set(set, operation, b).set;
                };
                expect_set(left("remove", "AutogradCUDA"), 0x0000000000010003);
                expect_set(left("minus", List{{"CUDA"}}), 0x0000002000000003);
                expect_set(left("remove_backend", "CUDA"), 0x0000002000010001);
              })
      .since(Release::k2_11)
      .until(Release::k2_12);

  conformance("removals_have_the_bits_of_2_13", {"DSP-111"}, [](Session& subject) {
    const KeySet set = {"CPU", "CUDA", "AutogradCUDA"};

    expect_set(subject.dispatch().set(set, "remove", "AutogradCUDA").set, 0x0000000000010003);
    expect_set(subject.dispatch().set(set, "minus", List{{"CUDA"}}).set, 0x0000001000000003);
    expect_set(subject.dispatch().set(set, "remove_backend", "CUDA").set, 0x0000001000010001);
  }).since(Release::k2_13);

  conformance("the_highest_key_has_the_highest_functionality_and_backend", {"DSP-112"},
              [](Session& subject) {
                const KeyModel& model = model_of(subject);
                for_pairs(model, [&](const ModelKey& left, const ModelKey& right) {
                  const ScopedTrace at{left.name + ", " + right.name};
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

  conformance("a_sets_slot_is_its_highest_keys", {"DSP-113"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    for (const ModelKey& key : model.keys()) {
      const ScopedTrace at{key.name};
      const SetInfo both = subject.dispatch().set({key.name, "CPU"});

      expect_equal(both.slot, subject.dispatch().key(both.highest).slot.get().value_or(-1));
    }
  });

  conformance("iteration_yields_every_key_whose_bits_are_in", {"DSP-114"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    for_pairs(model, [&](const ModelKey& left, const ModelKey& right) {
      const ScopedTrace at{left.name + ", " + right.name};
      const KeyBits both = model.set_of(left) | model.set_of(right);

      expect_keys(subject.dispatch().set(KeySet(both)).keys, model.keys_in(both));
    });
  });

  conformance("the_full_set_yields_every_key_but_undefined", {"DSP-114"}, [](Session& subject) {
    const KeyBits full = subject.dispatch().keys().full;
    const SetInfo info = subject.dispatch().set(KeySet(full));

    expect_equal(static_cast<std::int64_t>(info.keys.size()), subject.dispatch().keys().slots - 1);
  });

  conformance("full_after_is_everything_below_and_the_python_dispatcher", {"DSP-115"},
              [](Session& subject) {
                const KeyModel& model = model_of(subject);
                for (const ModelKey& key : model.keys()) {
                  const ScopedTrace at{key.name};
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
