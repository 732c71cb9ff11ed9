// Backend fallbacks: for all existing and future operators, and the initial ones.
#include <algorithm>

#include "harness/suite/reading.hpp"
#include "suites/dispatch/layout.hpp"
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const char* const kCeaNonFunctional = "CompositeExplicitAutogradNonFunctional";

std::string on_key(Session& subject, const std::string& op, const std::string& key) {
  return reached(subject, op, {probe(subject, {key})});
}

DispatchObject defined(Session& subject, const std::string& name) {
  return subject.dispatch().def(name + "(Tensor x) -> Tensor");
}

/// Autograd keys with a fallback in PyTorch.
std::vector<std::string> pytorch_autograd_fallbacks(Release release) {
  std::vector<std::string> keys{"AutogradOther", "AutogradCPU", "AutogradCUDA", "AutogradXLA",
                                "AutogradMPS",   "AutogradXPU", "AutogradHPU",  "AutogradLazy"};
  if (release == Release::k1_13) return keys;
  keys.emplace_back("AutogradMeta");
  if (release == Release::k2_4) return keys;
  for (const char* key : {"AutogradMTIA", "AutogradMAIA", "AutogradPrivateUse1"}) {
    keys.emplace_back(key);
  }
  return keys;
}

/// A tensor of this device reaches the backend's kernel although no kernel is at its autograd key.
void expect_backend_kernel(Session& subject, const std::string& device, const std::string& key) {
  const auto impl = at(subject, "fb::f", key, key);
  expect_text(reached(subject, "fb::f", {device_tensor(subject, device)}), key);
  impl.drop();
}

/// The kernel that is reached below Python's fallback. In a process without Python no tensor is
/// known to Python, which is an error (DSP-511).
void expect_on_python(Session& subject, const std::string& op, const Value& x, const KeySet& keys,
                      const std::string& wanted, Where where = Where::current()) {
  try {
    const Called called = subject.dispatch().call(op, {x}, {.boxed = true, .keys = keys});
    expect_text(last_of(called.ran).kernel, wanted, where);
  } catch (const SubjectError& raised) {
    const bool is_unknown = raised.error().message.find("PyInterpreter") != std::string::npos;
    expect_true(is_unknown, "the call goes on, or Python does not know the tensor", where);
  }
}

}  // namespace

CASES("dispatch/fallback") {
  conformance("a_fallback_is_for_every_operator_of_every_namespace", {"DSP-413", "DSP-511"},
              [](Session& subject) {
                const auto before = defined(subject, "fb::f");
                const auto fallback =
                    subject.dispatch().fallback(boxed_kernel(subject, "fallback"), {.key = "CUDA"});
                const auto after = defined(subject, "other::g");

                for (const char* op : {"fb::f", "other::g"}) {
                  const ScopedTrace row(op);
                  expect_text(on_key(subject, op, "CUDA"), "fallback");
                  expect_text(on_key(subject, op, "CPU"), "not_implemented");
                }
              });

  conformance("removing_a_fallback_is_seen_by_every_operator", {"DSP-413", "DSP-511"},
              [](Session& subject) {
                const auto f = defined(subject, "fb::f");
                const auto fallback =
                    subject.dispatch().fallback(boxed_kernel(subject, "first"), {.key = "CUDA"});
                const auto g = defined(subject, "fb::g");
                fallback.drop();
                expect_false(subject.dispatch().has_fallback("CUDA"), "CUDA has no fallback");
                for (const char* op : {"fb::f", "fb::g"}) {
                  expect_text(on_key(subject, op, "CUDA"), "not_implemented");
                }

                subject.dispatch().fallback(boxed_kernel(subject, "second"), {.key = "CUDA"});

                for (const char* op : {"fb::f", "fb::g"}) {
                  expect_text(on_key(subject, op, "CUDA"), "second");
                }
              });

  conformance("kernels_come_before_fallbacks", {"DSP-413", "DSP-501", "DSP-502"},
              [](Session& subject) {
                const auto f = defined(subject, "fb::f");
                subject.dispatch().fallback(boxed_kernel(subject, "fallback"), {.key = "CUDA"});
                subject.dispatch().fallback(boxed_kernel(subject, "fallback"), {.key = "CPU"});
                const auto exact = at(subject, "fb::f", "CUDA");
                expect_text(on_key(subject, "fb::f", "CUDA"), "CUDA");
                expect_text(on_key(subject, "fb::f", "CPU"), "fallback");
                exact.drop();
                expect_text(on_key(subject, "fb::f", "CUDA"), "fallback");

                at(subject, "fb::f", "", "catch all");

                expect_text(on_key(subject, "fb::f", "CUDA"), "catch all");
                expect_text(on_key(subject, "fb::f", "CPU"), "catch all");
              });

  conformance("a_fallback_needs_a_key", {"DSP-413"}, [](Session& subject) {
    const auto kernel = boxed_kernel(subject, "fallback");
    expect_error([&] { subject.dispatch().fallback(kernel); }, ErrorKind::kInternal);
    expect_error([&] { subject.dispatch().fallback(kernel, {.key = "Undefined"}); },
                 ErrorKind::kInternal);
  });

  conformance("a_block_of_one_namespace_has_no_fallback", {"DSP-413"}, [](Session& subject) {
    const auto library = subject.dispatch().library({.kind = "IMPL", .ns = "lib", .key = "CUDA"});
    const auto kernel = boxed_kernel(subject, "fallback");

    expect_error([&] { subject.dispatch().fallback(kernel, {.library = library}); },
                 ErrorKind::kError, {"lib"});
    expect_false(subject.dispatch().has_fallback("CUDA"), "CUDA has no fallback");
  });

  conformance("a_key_has_one_fallback", {"DSP-413"}, [](Session& subject) {
    const auto f = defined(subject, "fb::f");
    subject.dispatch().fallback(boxed_kernel(subject, "first"),
                                {.key = "CUDA", .at = "first.cpp:11"});
    const auto second = boxed_kernel(subject, "second");

    expect_error(
        [&] { subject.dispatch().fallback(second, {.key = "CUDA", .at = "second.cpp:22"}); },
        ErrorKind::kError, {"CUDA", "first.cpp:11", "second.cpp:22"});
    expect_text(on_key(subject, "fb::f", "CUDA"), "first");
  });

  conformance("no_fallback_for_a_building_block", {"DSP-413"}, [](Session& subject) {
    const auto kernel = boxed_kernel(subject, "fallback");
    for (const char* block : {"Dense", "Sparse", "Quantized", "NestedTensor"}) {
      const ScopedTrace row(block);
      expect_error([&] { subject.dispatch().fallback(kernel, {.key = block}); }, ErrorKind::kError,
                   {block});
    }
  }).only(Deviations::kStrict);

  conformance("a_fallback_for_a_building_block_has_no_effect", {"DSP-413"}, [](Session& subject) {
    const auto f = defined(subject, "fb::f");
    subject.dispatch().fallback(boxed_kernel(subject, "fallback"), {.key = "Dense"});

    expect_text(on_key(subject, "fb::f", "CPU"), "not_implemented");
  }).only(Deviations::kCompat);

  conformance("a_fallback_for_an_alias_is_one_for_each_member", {"DSP-414"}, [](Session& subject) {
    const auto f = defined(subject, "fb::f");
    const auto fallback =
        subject.dispatch().fallback(boxed_kernel(subject, "every"), {.key = kCeaNonFunctional});

    for (const char* key : {"CPU", "CUDA", "QuantizedCUDA", "FPGA", "PrivateUse3"}) {
      const ScopedTrace row(key);
      expect_text(reached_at(subject, "fb::f", key), "every");
      expect_true(subject.dispatch().has_fallback(key), "there is a fallback");
    }
    for (const char* key : {"XLA", "SparseCPU", "NestedTensorCPU"}) {
      const ScopedTrace row(key);
      expect_text(reached_at(subject, "fb::f", key), "not_implemented");
    }
    fallback.drop();
    for (const char* key : {"CPU", "QuantizedCUDA", "PrivateUse3"}) {
      expect_text(reached_at(subject, "fb::f", key), "not_implemented");
    }
  }).only(Deviations::kStrict);

  conformance("the_members_of_an_alias_share_one_functor", {"DSP-414", "DSP-615"},
              [](Session& subject) {
                const auto kernel = boxed_kernel(subject, "every");
                const std::string watch = subject.fresh_name("weak");
                subject.send("weak", {{"object", kernel}}, watch);
                const auto gone = [&] {
                  return field_as<bool>(subject.send("gone", {{"weak", Ref{watch}}}), "result");
                };
                const auto fallback =
                    subject.dispatch().fallback(kernel, {.key = kCeaNonFunctional});
                kernel.drop();
                expect_false(gone(), "the functor lives while it is registered");

                fallback.drop();

                expect_true(gone(), "the functor is gone");
              })
      .only(Deviations::kStrict);

  conformance("a_fallback_must_be_boxed", {"DSP-415"}, [](Session& subject) {
    const auto typed = typed_kernel(subject, "typed");
    expect_error([&] { subject.dispatch().fallback(typed, {.key = "CUDA"}); }, ErrorKind::kError,
                 {"boxed"});
    expect_false(subject.dispatch().has_fallback("CUDA"), "CUDA has no fallback");
    subject.dispatch().fallback(fallthrough_kernel(subject), {.key = "CUDA"});
    expect_true(subject.dispatch().has_fallback("CUDA"), "a fallthrough is accepted");
  }).only(Deviations::kStrict);

  conformance("pytorch_accepts_a_typed_fallback", {"DSP-415"}, [](Session& subject) {
    const auto f = defined(subject, "fb::f");
    subject.dispatch().fallback(typed_kernel(subject, "typed"), {.key = "CUDA"});

    expect_true(subject.dispatch().has_fallback("CUDA"), "CUDA has a fallback");
    expect_text(
        reached(subject, "fb::f", {probe(subject, "CUDA")}, {.signature = "Tensor(const Tensor&)"}),
        "typed");
  }).only(Deviations::kCompat);

  conformance("fallthrough_is_what_keys_without_kernels_do", {"DSP-511"}, [](Session& subject) {
    const Layout layout = layout_of(subject);
    for (const std::string& key : layout.runtime_keys()) {
      const bool autocast = key.starts_with("Autocast");
      if (key != "ADInplaceOrView" && key != "BackendSelect" && !autocast) continue;
      const bool known = key == "AutocastCPU" || key == "AutocastCUDA" || !autocast;
      if (!known && !subject.contract().strict()) continue;  // differs between releases
      const ScopedTrace row(key);
      expect_true(subject.dispatch().has_fallback(key), "it has a fallback");
      expect_true(subject.contract().strict() || known, "a fallback that releases agree on");
    }
    const auto f = defined(subject, "fb::f");
    at(subject, "fb::f", "CPU");
    expect_text(
        reached(subject, "fb::f", {probe(subject, {"CPU", "AutocastCPU", "ADInplaceOrView"})}),
        "CPU");
  });

  conformance("every_autograd_key_falls_through", {"DSP-512"}, [](Session& subject) {
    const Layout layout = layout_of(subject);
    const auto f = defined(subject, "fb::f");
    at(subject, "fb::f", "PrivateUse1");
    for (const std::string& key : layout.runtime_keys()) {
      if (key == "Undefined" || !layout.is_autograd(key) || key == "AutogradNestedTensor") {
        continue;
      }
      const ScopedTrace row(key);
      expect_true(subject.dispatch().has_fallback(key), "it has a fallback");
    }
    // A fallback that masks itself: only the backend's kernel runs.
    const auto called = subject.dispatch().call("fb::f", {device_tensor(subject, "privateuseone")},
                                                {.boxed = true});
    expect_text(called.labels(), "PrivateUse1");
  }).only(Deviations::kStrict);

  conformance("autograd_keys_with_a_fallback_are_those_of_the_release", {"DSP-512"},
              [](Session& subject) {
                const Layout layout = layout_of(subject);
                const auto wanted = pytorch_autograd_fallbacks(subject.contract().release);
                for (const std::string& key : layout.runtime_keys()) {
                  if (key == "Undefined" || !layout.is_autograd(key)) continue;
                  const ScopedTrace row(key);
                  const bool listed = std::find(wanted.begin(), wanted.end(), key) != wanted.end();
                  expect_equal(subject.dispatch().has_fallback(key), listed);
                }
              })
      .only(Deviations::kCompat);

  conformance("a_kernel_of_a_private_backend_is_reached_below_autograd", {"DSP-512"},
              [](Session& subject) {
                const auto f = defined(subject, "fb::f");
                expect_backend_kernel(subject, "privateuseone", "PrivateUse1");
              })
      .only(Deviations::kStrict);

  conformance("the_old_releases_do_not_know_private_autograd", {"DSP-512"},
              [](Session& subject) {
                const auto f = defined(subject, "fb::f");
                at(subject, "fb::f", "PrivateUse1");
                const auto x = device_tensor(subject, "privateuseone");

                expect_error([&] { subject.dispatch().call("fb::f", {x}, {.boxed = true}); },
                             ErrorKind::kNotImplemented, {"fb::f", "Autograd"});
              })
      .only(Deviations::kCompat)
      .until(Release::k2_4);

  conformance("a_backend_kernel_is_reached_below_autograd", {"DSP-512"}, [](Session& subject) {
    const auto f = defined(subject, "fb::f");
    expect_backend_kernel(subject, "cpu", "CPU");
    expect_backend_kernel(subject, "cuda", "CUDA");
    expect_backend_kernel(subject, "xla", "XLA");
  });

  conformance("in_2_x_the_autograd_fallback_is_a_boxed_hop", {"DSP-512"},
              [](Session& subject) {
                const auto f = defined(subject, "fb::f");
                at(subject, "fb::f", "CPU");

                const auto called = subject.dispatch().call(
                    "fb::f", {device_tensor(subject, "cpu")}, {.boxed = true});

                expect_true(called.shows_own.get(), "the runtime's own kernels are shown");
                expect_equal(static_cast<std::int64_t>(called.ran.size()), 2);
                expect_text(called.ran.at(0).key, "AutogradCPU");
                expect_true(called.ran.at(0).boxed, "the hop is boxed");
                expect_text(called.ran.at(1).kernel, "CPU");
              })
      .only(Deviations::kCompat)
      .since(Release::k2_4);

  conformance("in_2_x_the_hop_needs_a_schema", {"DSP-512", "DSP-408"},
              [](Session& subject) {
                subject.dispatch().impl("fb::f", typed_kernel(subject, "CPU"), {.key = "CPU"});
                const CallOptions typed{.signature = "Tensor(const Tensor&)"};
                const auto x = device_tensor(subject, "cpu");
                for (const char* mode : {"warn", "nothing"}) {
                  const ScopedTrace row(mode);
                  subject.dispatch().autograd_fallback(mode);
                  expect_error([&] { subject.dispatch().call("fb::f", {x}, typed); },
                               ErrorKind::kInternal, {"fb::f", "schema registered yet"});
                }

                const auto below = probe(subject, {"CPU"});
                expect_text(reached(subject, "fb::f", {below}, typed), "CPU");
                const auto f = defined(subject, "fb::f");
                expect_text(reached(subject, "fb::f", {x}, typed), "CPU");
              })
      .only(Deviations::kCompat)
      .since(Release::k2_4);

  conformance("the_autograd_fallback_can_be_made_a_warning_kernel", {"DSP-512"},
              [](Session& subject) {
                const auto f = defined(subject, "fb::f");
                at(subject, "fb::f", "CPU");
                subject.dispatch().autograd_fallback("warn");
                const auto x = device_tensor(subject, "cpu");

                const auto called = subject.dispatch().call("fb::f", {x}, {.boxed = true});
                expect_true(called.shows_own.get(), "the runtime's own kernels are shown");
                expect_equal(static_cast<std::int64_t>(called.ran.size()), 2);
                expect_text(called.ran.at(0).key, "AutogradCPU");
                expect_text(called.ran.at(1).kernel, "CPU");

                subject.dispatch().autograd_fallback("nothing");
                const auto plain = subject.dispatch().call("fb::f", {x}, {.boxed = true});
                expect_text(plain.labels(), "CPU");
              })
      .only(Deviations::kStrict);

  conformance("pythons_fallback_needs_the_state_on_entry", {"DSP-511"},
              [](Session& subject) {
                const auto def = defined(subject, "fb::python");
                const auto impl = at(subject, "fb::python", "CPU");
                const auto tensor = probe(subject, {"CPU"});
                const CallOptions options{.boxed = true, .keys = KeySet({"CPU", "Python"})};

                expect_error([&] { subject.dispatch().call("fb::python", {tensor}, options); },
                             ErrorKind::kInternal, {"tls_on_entry"});
              })
      .only(Deviations::kCompat)
      .until(Release::k2_12);

  conformance("pythons_fallback_goes_on_below_python", {"DSP-511"},
              [](Session& subject) {
                const auto def = defined(subject, "fb::python");
                at(subject, "fb::python", "CPU");
                at(subject, "fb::python", "Fake");
                const auto x = probe(subject, {"CPU"});

                expect_on_python(subject, "fb::python", x, {"CPU", "Python"}, "CPU");
                expect_on_python(subject, "fb::python", x, {"CPU", "Fake", "Python"}, "Fake");
              })
      .only(Deviations::kCompat)
      .since(Release::k2_13);

  conformance("below_pythons_fallback_no_key_above_python_is_reached", {"DSP-511"},
              [](Session& subject) {
                const auto def = defined(subject, "fb::python");
                const auto inner = defined(subject, "fb::inner");
                at(subject, "fb::inner", "AutogradCPU", "above");
                at(subject, "fb::inner", "CPU", "below");
                const auto x = probe(subject, {"CPU", "AutogradCPU"});
                const auto outer = running_kernel(subject, "outer", [&](Session& s) {
                  s.dispatch().call("fb::inner", {x}, {.boxed = true});
                });
                subject.dispatch().impl("fb::python", outer, {.key = "CPU"});
                const CallOptions plain{.boxed = true, .keys = KeySet("CPU")};

                expect_on_python(subject, "fb::python", x, {"CPU", "Python"}, "below");
                expect_text(reached(subject, "fb::python", {x}, plain), "above");
              })
      .only(Deviations::kCompat)
      .since(Release::k2_13);

  conformance("pythons_fallback_needs_a_tensor", {"DSP-511"},
              [](Session& subject) {
                const auto def = subject.dispatch().def("fb::number(int x) -> int");
                subject.dispatch().impl("fb::number", value_kernel(subject, "CPU", 1),
                                        {.key = "CPU"});
                const CallOptions options{.boxed = true, .keys = KeySet({"CPU", "Python"})};

                expect_error([&] { subject.dispatch().call("fb::number", {1}, options); },
                             ErrorKind::kInternal, {"PyInterpreter"});
              })
      .only(Deviations::kCompat)
      .since(Release::k2_13);
}

}  // namespace assay::suites
