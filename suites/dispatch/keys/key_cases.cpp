// Keys: names, order, slots.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/dispatch.hpp"
#include "suites/dispatch/keys/key_lists.hpp"

namespace assay::suites {
namespace {

const KeyModel& model_of(const Session& subject) { return key_model(subject.contract().release); }

Value texts(const std::vector<std::string>& names) {
  List list;
  for (const std::string& name : names) list.items.emplace_back(name);
  return list;
}

std::vector<std::string> with_undefined(std::vector<std::string> names) {
  names.insert(names.begin(), "Undefined");
  return names;
}

/// Backends with their own autograd key (DSP-107).
bool has_own_autograd(const std::string& backend, Release release) {
  if (backend == "HIP" || backend == "VE") return false;
  return backend != "MTIA" || release >= Release::k2_11;
}

/// The backends with an instance of the functionality that PyTorch can parse (DSP-116).
std::vector<std::string> readable(const std::string& functionality, Release release) {
  const bool is_old = release == Release::k1_13;
  const bool is_new = release >= Release::k2_11;
  std::vector<std::string> names = {"CPU", "CUDA"};
  const auto add = [&](std::initializer_list<const char*> more) {
    names.insert(names.end(), more.begin(), more.end());
  };
  if (functionality == "Quantized") {
    add({"XPU"});
    if (!is_old) add({"PrivateUse1"});
  } else if (functionality == "NestedTensor") {
    if (!is_old) add({"PrivateUse1", "Meta"});
    if (is_new) add({"XPU", "HPU"});
  } else if (functionality == "AutogradFunctionality") {
    add({"XLA", "MPS", "IPU", "XPU", "HPU", "Lazy", "Meta", "PrivateUse1", "PrivateUse2",
         "PrivateUse3"});
  } else {
    add({"HIP", "XPU", "VE"});
    if (!is_old) add({"PrivateUse1", "Meta"});
    if (is_new) add({"MPS"});
  }
  return names;
}

bool is_readable(const ModelKey& key, Release release) {
  if (key.backend.empty() || key.functionality == "Dense") return true;
  return is_one_of(readable(key.functionality, release), key.backend);
}

void expect_parsed(Session& subject, const std::string& name) {
  const ScopedTrace at{name};
  expect_equal(subject.dispatch().parse_key(name), name);
}

void expect_unparsed(Session& subject, const std::string& text) {
  const ScopedTrace at{text};
  expect_error([&] { subject.dispatch().parse_key(text); }, ErrorKind::kError,
               {"could not parse dispatch key", text});
}

}  // namespace

CASES("dispatch/key") {
  conformance("backends_rank_as_the_release_lists_them", {"DSP-101"}, [](Session& subject) {
    expect_equal(texts(subject.dispatch().keys().backends), texts(model_of(subject).backends()));
  });

  conformance("a_backends_bit_is_its_place", {"DSP-101"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    for (const std::string& backend : model.backends()) {
      const ScopedTrace at{backend};
      const KeyBits set = subject.dispatch().key(backend).set;

      expect_equal(static_cast<std::int64_t>(set & model.all_backends()),
                   static_cast<std::int64_t>(model.backend_bit(backend)));
    }
  });

  conformance("meta_was_below_the_private_backends", {"DSP-101"}, [](Session& subject) {
    expect_equal(subject.dispatch().set({"Meta", "PrivateUse1"}).highest, "PrivateUse1");
  }).until(Release::k1_13);

  conformance("meta_is_the_highest_backend", {"DSP-101"}, [](Session& subject) {
    expect_equal(subject.dispatch().set({"Meta", "PrivateUse1", "PrivateUse3"}).highest, "Meta");
  }).since(Release::k2_4);

  conformance("functionalities_rank_as_the_release_lists_them", {"DSP-102"}, [](Session& subject) {
    expect_equal(texts(subject.dispatch().keys().functionalities),
                 texts(with_undefined(model_of(subject).functionalities())));
  });

  conformance("autocast_is_above_autograd_above_views_above_backends", {"DSP-102"},
              [](Session& subject) {
                const std::vector<std::string> rising = {
                    "CPU",           "QuantizedCPU", "SparseCPU",       "BackendSelect",
                    "Functionalize", "Conjugate",    "ADInplaceOrView", "AutogradOther",
                    "AutogradCPU",   "Tracer",       "AutocastCPU",     "PythonDispatcher"};
                for (std::size_t i = 1; i < rising.size(); ++i) {
                  const ScopedTrace at{rising[i - 1] + " with " + rising[i]};
                  const SetInfo both = subject.dispatch().set({rising[i - 1], rising[i]});

                  expect_equal(both.highest, rising[i]);
                }
              });

  conformance("fake_was_above_python", {"DSP-102"}, [](Session& subject) {
    expect_equal(subject.dispatch().set({"Fake", "Python"}).highest, "Fake");
  }).until(Release::k2_12);

  conformance("python_is_above_fake", {"DSP-102"}, [](Session& subject) {
    expect_equal(subject.dispatch().set({"Fake", "Python"}).highest, "Python");
  }).since(Release::k2_13);

  conformance("named_is_no_key", {"DSP-102"}, [](Session& subject) {
    expect_unparsed(subject, "Named");
  }).since(Release::k2_13);

  conformance("six_functionalities_have_an_instance_for_each_backend", {"DSP-103"},
              [](Session& subject) {
                const KeyLists lists = subject.dispatch().keys();

                expect_equal(texts(lists.per_backend), texts(model_of(subject).per_backend()));
              });

  conformance("a_runtime_key_is_a_functionality_with_a_backend", {"DSP-103"}, [](Session& subject) {
    const KeyModel& model = model_of(subject);
    for (const ModelKey& key : model.keys()) {
      const ScopedTrace at{key.name};
      const KeyInfo info = subject.dispatch().key(key.name);

      expect_equal(info.kind, key.backend.empty() ? "plain" : "runtime");
      expect_equal(static_cast<std::int64_t>(info.set),
                   static_cast<std::int64_t>(model.set_of(key)));
    }
  });

  conformance("building_blocks_have_no_slot", {"DSP-103"}, [](Session& subject) {
    for (const std::string& block : model_of(subject).per_backend()) {
      const ScopedTrace at{block};
      const KeyInfo info = subject.dispatch().key(block);

      expect_equal(info.kind, "block");
      expect_false(info.slot.get().has_value(), "a building block has no slot");
    }
  });

  conformance("slots_follow_functionalities_and_within_them_backends", {"DSP-104"},
              [](Session& subject) {
                std::int64_t slot = 1;
                for (const ModelKey& key : model_of(subject).keys()) {
                  const ScopedTrace at{key.name};

                  expect_equal(subject.dispatch().key(key.name).slot.get().value_or(-1), slot++);
                }
                expect_equal(subject.dispatch().key("Undefined").slot.get().value_or(-1), 0);
              });

  conformance("a_table_has_106_slots", {"DSP-104"}, [](Session& subject) {
    expect_equal(subject.dispatch().keys().slots, 106);
  }).until(Release::k1_13);

  conformance("a_table_has_130_slots", {"DSP-104"},
              [](Session& subject) { expect_equal(subject.dispatch().keys().slots, 130); })
      .since(Release::k2_4)
      .until(Release::k2_4);

  conformance("a_table_has_138_slots", {"DSP-104"},
              [](Session& subject) { expect_equal(subject.dispatch().keys().slots, 138); })
      .since(Release::k2_11)
      .until(Release::k2_12);

  conformance("a_table_has_137_slots", {"DSP-104"}, [](Session& subject) {
    expect_equal(subject.dispatch().keys().slots, 137);
  }).since(Release::k2_13);

  conformance("aliases_have_neither_a_slot_nor_bits", {"DSP-105"}, [](Session& subject) {
    for (const std::string& alias : model_of(subject).aliases()) {
      const ScopedTrace at{alias};
      const KeyInfo info = subject.dispatch().key(alias);

      expect_equal(info.kind, "alias");
      expect_false(info.slot.get().has_value(), "an alias has no slot");
      expect_equal(static_cast<std::int64_t>(info.set), 0);
      expect_true(subject.dispatch().set(alias).empty, "the set of an alias is empty");
      expect_true(is_one_of(subject.dispatch().keys().aliases, alias), "the alias is listed");
    }
  });

  conformance("decompositions_for_vmap_came_with_2", {"DSP-105"}, [](Session& subject) {
    const KeyLists lists = subject.dispatch().keys();

    expect_false(is_one_of(lists.aliases, "FuncTorchBatchedDecomposition"), "it is not in 1.13");
  }).until(Release::k1_13);

  conformance("catch_all_and_the_legacy_names_are_other_keys", {"DSP-105"}, [](Session& subject) {
    expect_equal(subject.dispatch().key("CatchAll").kind, "undefined");
    expect_equal(subject.dispatch().key("DefaultBackend").kind, "alias");
    expect_equal(texts(subject.dispatch().members("DefaultBackend")),
                 texts(subject.dispatch().members("CompositeExplicitAutograd")));
    expect_equal(static_cast<std::int64_t>(subject.dispatch().key("Autocast").set),
                 static_cast<std::int64_t>(subject.dispatch().key("AutocastCUDA").set));
  });

  conformance("a_backend_differentiates_at_its_own_key_or_at_the_others", {"DSP-107"},
              [](Session& subject) {
                const Release release = subject.contract().release;
                for (const std::string& backend : model_of(subject).backends()) {
                  const ScopedTrace at{backend};
                  const bool own = has_own_autograd(backend, release);

                  expect_equal(subject.dispatch().key(backend).autograd.get().value_or("none"),
                               own ? "Autograd" + backend : "AutogradOther");
                }
              });

  conformance("plain_backends_differentiate_at_the_others_key", {"DSP-107"}, [](Session& subject) {
    for (const char* key : {"FPGA", "Vulkan", "Metal", "MkldnnCPU"}) {
      const ScopedTrace at{key};

      expect_equal(subject.dispatch().key(key).autograd.get().value_or("none"), "AutogradOther");
    }
  });

  conformance("every_key_is_read_by_the_name_it_is_printed_by", {"DSP-116"}, [](Session& subject) {
    for (const ModelKey& key : model_of(subject).keys()) {
      expect_parsed(subject, key.name);
    }
    for (const std::string& alias : model_of(subject).aliases()) {
      expect_parsed(subject, alias);
    }
  }).only(Deviations::kStrict);

  conformance("pytorch_does_not_read_all_the_names_it_prints", {"DSP-116"}, [](Session& subject) {
    const Release release = subject.contract().release;
    for (const ModelKey& key : model_of(subject).keys()) {
      if (is_readable(key, release)) {
        expect_parsed(subject, key.name);
      } else {
        expect_unparsed(subject, key.name);
      }
    }
  }).only(Deviations::kCompat);

  conformance("other_texts_are_no_keys", {"DSP-116"}, [](Session& subject) {
    for (const char* text : {"CatchAll", "Autocast", "DefaultBackend", "cpu", "Cuda", "NoSuchKey",
                             "AutogradNoSuch", ""}) {
      expect_unparsed(subject, text);
    }
  });
}

}  // namespace assay::suites
