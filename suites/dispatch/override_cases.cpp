// Several kernels for one key, and the keys at which kernels can be registered.
#include <algorithm>

#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

std::string on_cpu(Session& subject, const std::string& op) {
  return reached(subject, op, {probe(subject, "CPU")});
}

/// Defines the operator `o::f`, which takes and returns one tensor, for one case.
DispatchObject defined(Session& subject) {
  return subject.dispatch().def("o::f(Tensor x) -> Tensor");
}

/// Registers three kernels, the newest last, and removes them in this order.
void drop_in_order(Session& subject, const std::vector<std::size_t>& order) {
  const auto def = defined(subject);
  std::vector<DispatchObject> kernels;
  for (const char* label : {"k0", "k1", "k2"}) {
    kernels.push_back(at(subject, "o::f", "CPU", label));
    expect_text(on_cpu(subject, "o::f"), label);
  }
  std::vector<bool> live(3, true);
  for (const std::size_t index : order) {
    kernels[index].drop();
    live[index] = false;
    std::string wanted = "not_implemented";
    for (std::size_t i = 0; i < 3; ++i) {
      if (live[i]) wanted = "k" + std::to_string(i);
    }
    const ScopedTrace step("after dropping k" + std::to_string(index));
    expect_text(on_cpu(subject, "o::f"), wanted);
  }
  def.drop();
}

/// The one warning about overriding. A process of PyTorch may have given it already since 2.13
/// (DSP-412).
void expect_override_warning(Session& subject, const std::vector<std::string>& words,
                             Where where = Where::current()) {
  const bool may_be_spent =
      !subject.contract().strict() && subject.contract().release >= Release::k2_13;
  if (may_be_spent && subject.warnings().empty()) return;
  expect_warning(subject.warnings(), "UserWarning", words, where);
}

/// Removes the kernel of gone.cpp:11 before that of new.cpp:33 overrides that of old.cpp:22.
void override_after_one_has_gone(Session& subject) {
  const auto def = defined(subject);
  const auto at_cpu = [&](const char* label, const char* where) {
    const auto kernel = typed_kernel(subject, label);
    return subject.dispatch().impl("o::f", kernel, {.key = "CPU", .at = where});
  };
  at_cpu("k1", "gone.cpp:11").drop();
  at_cpu("k2", "old.cpp:22");
  at_cpu("k3", "new.cpp:33");
}

}  // namespace

CASES("dispatch/override") {
  conformance("the_newest_kernel_of_a_key_is_active", {"DSP-412"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto k1 = at(subject, "o::f", "CPU", "k1");
    expect_text(on_cpu(subject, "o::f"), "k1");
    const auto k2 = at(subject, "o::f", "CPU", "k2");
    expect_text(on_cpu(subject, "o::f"), "k2");
    const auto k3 = at(subject, "o::f", "CPU", "k3");
    expect_text(on_cpu(subject, "o::f"), "k3");

    k2.drop();
    expect_text(on_cpu(subject, "o::f"), "k3");
    k3.drop();
    expect_text(on_cpu(subject, "o::f"), "k1");
    const auto k4 = at(subject, "o::f", "CPU", "k4");
    expect_text(on_cpu(subject, "o::f"), "k4");
    k1.drop();
    expect_text(on_cpu(subject, "o::f"), "k4");
    k4.drop();
    expect_text(on_cpu(subject, "o::f"), "not_implemented");
  });

  conformance("three_kernels_can_go_in_any_order", {"DSP-412"}, [](Session& subject) {
    std::vector<std::size_t> order{0, 1, 2};
    do {
      const ScopedTrace row("order " + std::to_string(order[0]) + std::to_string(order[1]) +
                            std::to_string(order[2]));
      drop_in_order(subject, order);
    } while (std::next_permutation(order.begin(), order.end()));
  });

  conformance("the_newest_is_active_at_alias_keys_too", {"DSP-412"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto older = at(subject, "o::f", "CompositeExplicitAutograd", "older");
    const auto newer = at(subject, "o::f", "CompositeExplicitAutograd", "newer");
    expect_text(on_cpu(subject, "o::f"), "newer");

    newer.drop();

    expect_text(on_cpu(subject, "o::f"), "older");
  });

  conformance("overriding_warns_and_names_both", {"DSP-412"}, [](Session& subject) {
    const auto def = subject.dispatch().def("o::f(Tensor x) -> Tensor", {.at = "defs.cpp:1"});
    subject.dispatch().impl("o::f", typed_kernel(subject, "k1"),
                            {.key = "CPU", .at = "old.cpp:11"});
    const auto newer = typed_kernel(subject, "k2");

    subject.dispatch().impl("o::f", newer, {.key = "CPU", .at = "new.cpp:22"});

    expect_override_warning(subject, {"o::f", "CPU", "defs.cpp:1", "old.cpp:11", "new.cpp:22"});
  }).fresh();

  conformance("the_warning_names_the_kernel_that_is_overridden", {"DSP-412"},
              [](Session& subject) {
                override_after_one_has_gone(subject);

                expect_warning(subject.warnings(), "UserWarning", {"old.cpp:22", "new.cpp:33"});
              })
      .only(Deviations::kStrict)
      .fresh();

  conformance("the_warning_names_the_first_kernel_ever_in_pytorch", {"DSP-412"},
              [](Session& subject) {
                override_after_one_has_gone(subject);

                expect_override_warning(subject, {"gone.cpp:11", "new.cpp:33"});
              })
      .only(Deviations::kCompat)
      .fresh();

  conformance("the_old_release_warns_each_time", {"DSP-412"}, [](Session& subject) {
    const auto def = defined(subject);
    at(subject, "o::f", "CPU", "k1");
    for (const char* label : {"k2", "k3"}) {
      const ScopedTrace row(label);
      const auto kernel = boxed_kernel(subject, label);
      subject.dispatch().impl("o::f", kernel, {.key = "CPU"});
      expect_warning(subject.warnings(), "UserWarning", {"o::f", "CPU"});
    }
  }).until(Release::k1_13);

  conformance("later_releases_warn_once", {"DSP-412"},
              [](Session& subject) {
                const auto def = defined(subject);
                at(subject, "o::f", "CPU", "k1");
                const auto second = boxed_kernel(subject, "k2");
                subject.dispatch().impl("o::f", second, {.key = "CPU"});
                expect_override_warning(subject, {"o::f", "CPU"});
                const auto third = boxed_kernel(subject, "k3");

                subject.dispatch().impl("o::f", third, {.key = "CPU"});

                expect_true(subject.warnings().empty(), "the second override is silent");
              })
      .since(Release::k2_4)
      .fresh();

  conformance("later_releases_never_warn_about_meta", {"DSP-412"},
              [](Session& subject) {
                const auto def = defined(subject);
                for (const char* key : {"Meta", "MTIA"}) {
                  const ScopedTrace row(key);
                  const bool is_silent = subject.contract().release >= Release::k2_11;
                  if (key == std::string_view("MTIA") && !is_silent) continue;  // 2.4 warns
                  at(subject, "o::f", key, "k1");
                  const auto second = boxed_kernel(subject, "k2");
                  subject.dispatch().impl("o::f", second, {.key = key});
                  expect_true(subject.warnings().empty(), "overriding is silent");
                }
                at(subject, "o::f", "CPU", "k1");
                const auto second = boxed_kernel(subject, "k2");
                subject.dispatch().impl("o::f", second, {.key = "CPU"});
                expect_override_warning(subject, {"CPU"});
              })
      .since(Release::k2_4)
      .fresh();

  conformance("what_was_overridden_comes_back_without_a_warning", {"DSP-412"},
              [](Session& subject) {
                const auto def = defined(subject);
                const auto k1 = at(subject, "o::f", "CPU", "k1");
                const auto k2 = at(subject, "o::f", "CPU", "k2");

                k2.drop();

                expect_true(subject.warnings().empty(), "dropping is silent");
                expect_text(on_cpu(subject, "o::f"), "k1");
              });

  conformance("a_call_between_does_not_fix_the_kernel", {"DSP-412"}, [](Session& subject) {
    const auto def = defined(subject);
    at(subject, "o::f", "CPU", "A");
    const auto handle = subject.dispatch().handle("o::f", "Tensor(const Tensor&)");
    const auto x = probe(subject, "CPU");
    expect_text(reached(subject, handle, {x}, {}), "A");
    const auto other = subject.dispatch().library({.kind = "IMPL", .ns = "o", .key = "CPU"});
    subject.dispatch().impl("f", boxed_kernel(subject, "B"), {.library = other});
    expect_text(reached(subject, handle, {x}, {}), "B");

    other.drop();

    expect_text(reached(subject, handle, {x}, {}), "A");
  });
}

CASES("dispatch/impl_keys") {
  conformance("the_key_of_a_block_and_of_a_kernel_must_agree", {"DSP-411"}, [](Session& subject) {
    const auto def = defined(subject);
    const auto library = subject.dispatch().library({.kind = "IMPL", .ns = "o", .key = "CPU"});
    const auto kernel = boxed_kernel(subject, "k");

    expect_error([&] { subject.dispatch().impl("f", kernel, {.key = "CUDA", .library = library}); },
                 ErrorKind::kError, {"CPU", "CUDA"});
    expect_text(on_cpu(subject, "o::f"), "not_implemented");
    subject.dispatch().impl("f", kernel, {.key = "CPU", .library = library});
    expect_text(on_cpu(subject, "o::f"), "k");
  });

  for (const char* key : {"", "CatchAll", "Undefined"}) {
    conformance(std::string("a_kernel_") + (*key == 0 ? "without_key" : std::string("at_") + key) +
                    "_is_composite",
                {"DSP-411", "DSP-502"}, [key](Session& subject) {
                  const auto def = defined(subject);
                  const auto impl = at(subject, "o::f", key, "all");

                  for (const char* carried : {"CPU", "CUDA", "AutogradCPU", "NestedTensorCPU"}) {
                    const ScopedTrace row(carried);
                    expect_text(reached(subject, "o::f", {probe(subject, {carried})}), "all");
                  }
                  expect_text(reached_at(subject, "o::f", "Undefined"), "all");
                  expect_true(subject.dispatch().has_kernel("o::f", "CompositeImplicitAutograd"),
                              "it is stored as the composite kernel");
                });
  }

  for (const char* block : {"Dense", "Sparse", "Quantized", "AutogradFunctionality"}) {
    conformance(std::string("no_kernel_for_the_building_block_") + block, {"DSP-411"},
                [block](Session& subject) {
                  const auto def = defined(subject);
                  expect_error([&] { at(subject, "o::f", block); }, ErrorKind::kError, {block});
                  expect_text(on_cpu(subject, "o::f"), "not_implemented");
                })
        .only(Deviations::kStrict);

    conformance(
        std::string("a_kernel_for_the_building_block_") + block + "_is_never_reached", {"DSP-411"},
        [block](Session& subject) {
          const auto def = defined(subject);
          at(subject, "o::f", block);
          for (const char* key : {"CPU", "SparseCPU", "QuantizedCPU"}) {
            expect_text(reached(subject, "o::f", {probe(subject, {key})}), "not_implemented");
          }
        })
        .only(Deviations::kCompat);
  }
}

}  // namespace assay::suites
