// Libraries: what each kind may do, namespaces, and error messages.
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

/// Calls it boxed, with one tensor that has this key.
std::string on_key(Session& subject, const std::string& op, const std::string& key) {
  return reached(subject, op, {probe(subject, {key})});
}

void define_in(Session& subject, const DispatchObject& library, const std::string& schema) {
  subject.dispatch().def(schema, {.library = library});
}

}  // namespace

CASES("dispatch/library") {
  conformance("a_DEF_block_defines_and_implements", {"DSP-401", "DSP-405"}, [](Session& subject) {
    const auto library = subject.dispatch().library({.kind = "DEF", .ns = "lib"});
    define_in(subject, library, "f(Tensor x) -> Tensor");
    subject.dispatch().impl("f", boxed_kernel(subject, "cpu"), {.key = "CPU", .library = library});

    expect_true(subject.dispatch().find("lib::f", true), "lib::f has a schema");
    expect_text(on_key(subject, "lib::f", "CPU"), "cpu");
  });

  conformance("fragments_come_in_any_number_beside_a_DEF_block", {"DSP-401"}, [](Session& subject) {
    const auto first = subject.dispatch().library({.kind = "FRAGMENT", .ns = "lib"});
    define_in(subject, first, "f(Tensor x) -> Tensor");
    const auto whole = subject.dispatch().library({.kind = "DEF", .ns = "lib"});
    define_in(subject, whole, "g(Tensor x) -> Tensor");
    const auto last = subject.dispatch().library({.kind = "FRAGMENT", .ns = "lib"});
    define_in(subject, last, "h(Tensor x) -> Tensor");
    subject.dispatch().impl("f", boxed_kernel(subject, "cpu"), {.key = "CPU", .library = last});

    expect_texts(subject.dispatch().ops("lib"), {"lib::f", "lib::g", "lib::h"});
    expect_text(on_key(subject, "lib::f", "CPU"), "cpu");
  });

  conformance("an_IMPL_block_registers_at_its_key", {"DSP-401"}, [](Session& subject) {
    const auto def = subject.dispatch().def("lib::f(Tensor x) -> Tensor");
    const auto library = subject.dispatch().library({.kind = "IMPL", .ns = "lib", .key = "CUDA"});
    subject.dispatch().impl("f", boxed_kernel(subject, "cuda"), {.library = library});

    expect_text(on_key(subject, "lib::f", "CUDA"), "cuda");
    expect_text(on_key(subject, "lib::f", "CPU"), "not_implemented");
  });

  conformance("an_IMPL_block_without_a_key_registers_for_all", {"DSP-401", "DSP-411"},
              [](Session& subject) {
                const auto def = subject.dispatch().def("lib::f(Tensor x) -> Tensor");
                const auto library = subject.dispatch().library({.kind = "IMPL", .ns = "lib"});
                subject.dispatch().impl("f", boxed_kernel(subject, "all"), {.library = library});

                expect_text(on_key(subject, "lib::f", "CUDA"), "all");
                expect_text(on_key(subject, "lib::f", "AutogradCPU"), "all");
              });

  conformance("a_block_takes_its_registrations_along", {"DSP-401"}, [](Session& subject) {
    const auto def = subject.dispatch().def("lib::g(Tensor x) -> Tensor");
    const auto fragment = subject.dispatch().library({.kind = "FRAGMENT", .ns = "lib"});
    define_in(subject, fragment, "f(Tensor x) -> Tensor");
    const auto library = subject.dispatch().library({.kind = "IMPL", .ns = "lib", .key = "CPU"});
    subject.dispatch().impl("g", boxed_kernel(subject, "g"), {.library = library});

    fragment.drop();
    library.drop();

    expect_false(subject.dispatch().find("lib::f"), "lib::f is not there");
    expect_texts(subject.dispatch().ops("lib"), {"lib::g"});
    expect_text(on_key(subject, "lib::g", "CPU"), "not_implemented");
  });

  conformance("reset_drops_all_registrations_of_a_block", {"DSP-401"}, [](Session& subject) {
    const auto def = subject.dispatch().def("lib::g(Tensor x) -> Tensor");
    const auto library = subject.dispatch().library({.kind = "FRAGMENT", .ns = "lib"});
    define_in(subject, library, "f(Tensor x) -> Tensor");
    subject.dispatch().impl("g", boxed_kernel(subject, "g"), {.key = "CPU", .library = library});
    expect_text(on_key(subject, "lib::g", "CPU"), "g");

    subject.dispatch().reset_library(library);

    expect_texts(subject.dispatch().ops("lib"), {"lib::g"});
    expect_text(on_key(subject, "lib::g", "CPU"), "not_implemented");
  }).since(Release::k2_4);

  conformance("a_block_that_was_moved_from_does_nothing", {"DSP-401"}, [](Session& subject) {
    const auto library = subject.dispatch().library({.kind = "DEF", .ns = "lib"});
    define_in(subject, library, "f(Tensor x) -> Tensor");

    const auto moved = subject.dispatch().move_library(library);
    library.drop();
    expect_true(subject.dispatch().find("lib::f"), "lib::f outlives what was moved from");
    moved.drop();

    expect_false(subject.dispatch().find("lib::f"), "lib::f is not there");
  });

  conformance("assigning_a_block_ends_what_the_target_held", {"DSP-417"}, [](Session& subject) {
    const auto to = subject.dispatch().library({.kind = "FRAGMENT", .ns = "lib"});
    define_in(subject, to, "old(Tensor x) -> Tensor");
    const auto from = subject.dispatch().library({.kind = "FRAGMENT", .ns = "lib"});
    define_in(subject, from, "kept(Tensor x) -> Tensor");

    subject.dispatch().assign(to, from);
    from.drop();

    expect_texts(subject.dispatch().ops("lib"), {"lib::kept"});
  });

  conformance("a_namespace_has_one_DEF_block_at_a_time", {"DSP-402"}, [](Session& subject) {
    const auto first =
        subject.dispatch().library({.kind = "DEF", .ns = "lib", .at = "first.cpp:11"});

    expect_error(
        [&] { subject.dispatch().library({.kind = "DEF", .ns = "lib", .at = "second.cpp:22"}); },
        ErrorKind::kError, {"lib", "first.cpp:11", "second.cpp:22"});
    subject.dispatch().library({.kind = "DEF", .ns = "lib2"});
  });

  conformance("a_namespace_is_free_again_when_its_DEF_block_is_gone", {"DSP-402"},
              [](Session& subject) {
                const auto first = subject.dispatch().library({.kind = "DEF", .ns = "lib"});
                expect_error([&] { subject.dispatch().library({.kind = "DEF", .ns = "lib"}); },
                             ErrorKind::kError, {"lib"});
                first.drop();

                const auto second = subject.dispatch().library({.kind = "DEF", .ns = "lib"});
                define_in(subject, second, "f(Tensor x) -> Tensor");

                expect_true(subject.dispatch().find("lib::f"), "lib::f is there");
                expect_error([&] { subject.dispatch().library({.kind = "DEF", .ns = "lib"}); },
                             ErrorKind::kError, {"lib"});
              });

  conformance("an_IMPL_block_does_not_define", {"DSP-403"}, [](Session& subject) {
    const auto library = subject.dispatch().library(
        {.kind = "IMPL", .ns = "lib", .key = "CPU", .at = "impls.cpp:7"});

    expect_error([&] { define_in(subject, library, "f(Tensor x) -> Tensor"); }, ErrorKind::kError,
                 {"f", "IMPL", "impls.cpp:7"});
    expect_texts(subject.dispatch().ops("lib"), {});
  });

  for (const char* kind : {"DEF", "FRAGMENT"}) {
    conformance(
        std::string("a_") + kind + "_block_has_no_fallbacks", {"DSP-403"},
        [kind](Session& subject) {
          const auto library =
              subject.dispatch().library({.kind = kind, .ns = "lib", .at = "defs.cpp:9"});
          const auto kernel = boxed_kernel(subject, "fallback");

          expect_error(
              [&] { subject.dispatch().fallback(kernel, {.key = "CPU", .library = library}); },
              ErrorKind::kError, {"fallback", kind, "defs.cpp:9"});
          expect_false(subject.dispatch().has_fallback("CPU"), "CPU has no fallback");
        });

    conformance(std::string("a_") + kind + "_block_has_no_key", {"DSP-403"},
                [kind](Session& subject) {
                  expect_error(
                      [&] {
                        subject.dispatch().library(
                            {.kind = kind, .ns = "lib", .key = "CPU", .at = "defs.cpp:9"});
                      },
                      ErrorKind::kInternal, {kind, "defs.cpp:9"});
                  const auto library =
                      subject.dispatch().library({.kind = kind, .ns = "lib", .key = "CatchAll"});
                  define_in(subject, library, "f(Tensor x) -> Tensor");
                  expect_true(subject.dispatch().find("lib::f"), "lib::f is there");
                });

    conformance(
        std::string("no_") + kind + "_block_is_for_all_namespaces", {"DSP-404"},
        [kind](Session& subject) {
          expect_error(
              [&] { subject.dispatch().library({.kind = kind, .ns = "_", .at = "defs.cpp:9"}); },
              ErrorKind::kError, {"_", kind, "defs.cpp:9"});
        })
        .only(Deviations::kStrict);
  }

  conformance("a_fragment_for_all_namespaces_is_refused_by_pytorch_too", {"DSP-404"},
              [](Session& subject) {
                expect_error([&] { subject.dispatch().library({.kind = "FRAGMENT", .ns = "_"}); },
                             ErrorKind::kError, {"_", "FRAGMENT"});
              })
      .only(Deviations::kCompat);

  conformance(
      "the_wildcard_namespace_registers_fallbacks", {"DSP-404", "DSP-413"}, [](Session& subject) {
        const auto def = subject.dispatch().def("lib::f(Tensor x) -> Tensor");
        const auto library = subject.dispatch().library({.kind = "IMPL", .ns = "_", .key = "CUDA"});
        subject.dispatch().fallback(boxed_kernel(subject, "any"), {.library = library});

        expect_text(on_key(subject, "lib::f", "CUDA"), "any");
      });

  conformance("the_wildcard_namespace_implements_no_unqualified_name", {"DSP-404"},
              [](Session& subject) {
                const auto library = subject.dispatch().library(
                    {.kind = "IMPL", .ns = "_", .key = "CUDA", .at = "impls.cpp:7"});
                const auto kernel = boxed_kernel(subject, "cuda");

                expect_error([&] { subject.dispatch().impl("f", kernel, {.library = library}); },
                             ErrorKind::kError, {"_", "impls.cpp:7"});
              })
      .only(Deviations::kStrict);

  conformance("an_equal_namespace_in_a_name_is_accepted", {"DSP-405"}, [](Session& subject) {
    const auto library = subject.dispatch().library({.kind = "DEF", .ns = "lib"});
    define_in(subject, library, "lib::f(Tensor x) -> Tensor");
    subject.dispatch().impl("lib::f", boxed_kernel(subject, "cpu"),
                            {.key = "CPU", .library = library});

    expect_text(on_key(subject, "lib::f", "CPU"), "cpu");
  });

  conformance("another_namespace_in_a_name_is_refused", {"DSP-405"}, [](Session& subject) {
    const auto whole = subject.dispatch().library({.kind = "DEF", .ns = "lib"});
    const auto impls = subject.dispatch().library({.kind = "IMPL", .ns = "lib", .key = "CPU"});
    const auto kernel = boxed_kernel(subject, "cpu");

    expect_error([&] { define_in(subject, whole, "other::f(Tensor x) -> Tensor"); },
                 ErrorKind::kError, {"other", "lib", "DEF"});
    expect_error([&] { subject.dispatch().impl("other::f", kernel, {.library = impls}); },
                 ErrorKind::kError, {"other", "lib", "IMPL"});
    expect_false(subject.dispatch().find("other::f"), "other::f is not there");
    expect_false(subject.dispatch().find("lib::f"), "lib::f is not there");
  });

  conformance("impl_takes_a_name_and_def_a_schema", {"DSP-405"}, [](Session& subject) {
    const auto library = subject.dispatch().library({.kind = "FRAGMENT", .ns = "lib"});
    const auto kernel = boxed_kernel(subject, "cpu");

    expect_error(
        [&] {
          subject.dispatch().impl("f(Tensor x) -> Tensor", kernel,
                                  {.key = "CPU", .library = library});
        },
        ErrorKind::kError, {"schema"});
    expect_error([&] { define_in(subject, library, "f"); }, ErrorKind::kError, {"name"});
    expect_texts(subject.dispatch().ops("lib"), {});
  });
}

}  // namespace assay::suites
