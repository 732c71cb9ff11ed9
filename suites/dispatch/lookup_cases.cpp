// Operator lookup, queries, and messages about missing kernels.
#include <algorithm>

#include "suites/dispatch/layout.hpp"
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "ask::f";

DispatchObject define(Session& subject, const std::string& name = kOp) {
  return subject.dispatch().def(name + "(Tensor x) -> Tensor");
}

/// Its argument has another name, because PyTorch's TorchScript confuses overloads with the same
/// types and names of arguments, and keeps one that was removed.
DispatchObject define_overload(Session& subject, const std::string& name) {
  return subject.dispatch().def(name + "(Tensor y) -> Tensor");
}

/// The message of the error raised by `action`.
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const SubjectError& raised) {
    return raised.error().message;
  }
  return "";
}

std::string missing_at(Session& subject, const std::string& op, const KeySet& keys) {
  const auto x = probe(subject, keys);
  return message_of([&] { subject.dispatch().call(op, {x}, {.boxed = true}); });
}

/// `words` occur in this order in `text`.
void expect_in_order(const std::string& text, const std::vector<std::string>& words,
                     Where where = Where::current()) {
  std::size_t from = 0;
  for (const std::string& word : words) {
    const std::size_t found = text.find(word, from);
    expect_true(found != std::string::npos, "'" + word + "' follows in: " + text, where);
    from = found + word.size();
  }
}

/// The contents of the first pair of brackets: the keys with registrations.
std::string listed_in(const std::string& message) {
  const std::size_t open = message.find('[');
  const std::size_t close = message.find(']', open);
  expect_true(open != std::string::npos && close != std::string::npos, "a list in: " + message);
  return message.substr(open, close - open);
}

bool has_word(const std::string& text, const std::string& word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_letter(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

std::string hex(KeyBits bits) {
  std::string text;
  for (; bits != 0; bits >>= 4U) text.insert(text.begin(), "0123456789abcdef"[bits & 15U]);
  return text;
}

}  // namespace

CASES("dispatch/lookup") {
  conformance("find_tells_entries_from_schemas", {"DSP-701"}, [](Session& subject) {
    const auto impl = at(subject, "ask::f.ov", "CPU");
    expect_true(subject.dispatch().find("ask::f.ov"), "the overload is found");
    expect_false(subject.dispatch().find("ask::f.ov", true), "it has no schema");
    expect_false(subject.dispatch().find("ask::f"), "another overload is not found");
    const auto def = define(subject);
    expect_true(subject.dispatch().find("ask::f", true), "it has a schema");
    expect_false(subject.dispatch().find("ask::f.ov", true), "the overload has no schema");
  });

  conformance("names_are_matched_exactly", {"DSP-701"}, [](Session& subject) {
    const auto def = define(subject);
    for (const char* other : {"ask::F", "Ask::f", "ask::f2", "other::f", "f", "ask::f.f"}) {
      const ScopedTrace row(other);
      expect_false(subject.dispatch().find(other), "it is not found");
    }
  });

  conformance("what_is_not_there_is_named_with_its_overload", {"DSP-701"}, [](Session& subject) {
    expect_error([&] { subject.dispatch().find_or_throw("nope::nope", ""); }, ErrorKind::kError,
                 {"nope::nope"});
    expect_error([&] { subject.dispatch().find_or_throw("nope::nope", "ov"); }, ErrorKind::kError,
                 {"nope::nope.ov"});
  });

  conformance("a_handle_is_found_for_each_overload", {"DSP-701", "DSP-616"}, [](Session& subject) {
    define(subject);
    define_overload(subject, "ask::f.ov");
    at(subject, "ask::f", "CPU", "plain");
    at(subject, "ask::f.ov", "CPU", "overload");
    const auto x = probe(subject, "CPU");
    expect_text(reached(subject, subject.dispatch().find_or_throw("ask::f", ""), {x}), "plain");
    expect_text(reached(subject, subject.dispatch().find_or_throw("ask::f", "ov"), {x}),
                "overload");
  });

  conformance("kernels_without_schema_are_hinted_at", {"DSP-701"}, [](Session& subject) {
    const std::string plain = message_of([&] { subject.dispatch().find_or_throw("ask::f", "ov"); });
    at(subject, "ask::f.ov", "CPU");
    const std::string hinted =
        message_of([&] { subject.dispatch().find_or_throw("ask::f", "ov"); });
    expect_true(hinted.find("ask::f.ov") != std::string::npos, "the operator is named");
    expect_true(hinted.size() > plain.size(),
                "the message is longer if the operator has kernels: " + hinted);
  });

  conformance("an_overload_defined_later_is_found", {"DSP-701"}, [](Session& subject) {
    define(subject);
    expect_texts(subject.dispatch().ops("ask"), {"ask::f"});
    expect_false(subject.dispatch().find("ask::f.late"), "it is not found");
    define_overload(subject, "ask::f.late");
    expect_texts(subject.dispatch().ops("ask"), {"ask::f", "ask::f.late"});
    expect_true(subject.dispatch().find("ask::f.late"), "it is found");
  });
}

CASES("dispatch/missing") {
  conformance("a_missing_kernel_names_operator_key_and_what_there_is", {"DSP-702"},
              [](Session& subject) {
                const auto def = define(subject);
                at(subject, kOp, "CPU");
                const auto x = device_tensor(subject, "cuda");
                expect_error([&] { subject.dispatch().call(kOp, {x}, {.boxed = true}); },
                             ErrorKind::kNotImplemented, {kOp, "CUDA", "CPU", "BackendSelect"});
              });

  conformance("the_list_has_every_valid_entry_in_order", {"DSP-702"}, [](Session& subject) {
    const auto def = define(subject);
    for (const char* key : {"Tracer", "XLA", "CPU", "SparseCPU"}) at(subject, kOp, key);
    subject.dispatch().fallback(boxed_kernel(subject, "fallback"),
                                {.key = "TESTING_ONLY_GenericMode"});
    const std::string message = listed_in(missing_at(subject, kOp, "CUDA"));
    expect_in_order(message, {"CPU", "XLA", "SparseCPU", "BackendSelect", "ADInplaceOrView",
                              "Tracer", "TESTING_ONLY_GenericMode"});
    for (const char* absent : {"HIP", "FPGA", "QuantizedCPU", "NestedTensorCPU"}) {
      expect_false(has_word(message, absent), std::string(absent) + " is not listed: " + message);
    }
  });

  conformance("each_entry_says_where_it_comes_from", {"DSP-702", "DSP-706"}, [](Session& subject) {
    const auto def = define(subject);
    const auto kernel = boxed_kernel(subject, "k");
    subject.dispatch().impl(kOp, kernel, {.key = "CPU", .at = "cpu.cpp:11"});
    subject.dispatch().impl(kOp, kernel, {.key = "Autograd", .at = "autograd.cpp:22"});
    subject.dispatch().fallback(kernel,
                                {.key = "TESTING_ONLY_GenericMode", .at = "fallback.cpp:33"});
    const std::string message = missing_at(subject, kOp, "CUDA");
    expect_in_order(message, {"CPU:", "cpu.cpp:11", "[kernel]"});
    expect_in_order(message, {"AutogradCUDA:", "autograd.cpp:22", "[autograd kernel]"});
    expect_in_order(message,
                    {"TESTING_ONLY_GenericMode:", "fallback.cpp:33", "[backend fallback]"});
    expect_in_order(message, {"ADInplaceOrView:", "fallthrough"});
  });

  conformance("the_key_named_is_the_highest_of_the_effective_set", {"DSP-702"},
              [](Session& subject) {
                const auto def = define_overload(subject, "ask::g.ov");
                at(subject, "ask::g.ov", "XLA");
                for (const auto& [keys, named] :
                     {std::pair{KeySet{"SparseCPU", "CUDA"}, "SparseCUDA"},
                      {KeySet{"CPU", "TESTING_ONLY_GenericMode"}, "TESTING_ONLY_GenericMode"},
                      {KeySet{"PrivateUse2"}, "PrivateUse2"}}) {
                  const ScopedTrace row(named);
                  const std::string message = missing_at(subject, "ask::g.ov", keys);
                  expect_true(has_word(message, named), "the key is named: " + message);
                  expect_true(message.find("ask::g.ov") != std::string::npos,
                              "the overload is named: " + message);
                }
              });

  conformance("without_tensors_the_message_has_the_operator_and_the_list", {"DSP-703"},
              [](Session& subject) {
                subject.dispatch().def("ask::n(int n) -> int");
                at(subject, "ask::n", "CPU");
                expect_error([&] { subject.dispatch().call("ask::n", {3}, {.boxed = true}); },
                             ErrorKind::kNotImplemented, {"ask::n", "CPU"});
              });

  conformance("what_is_left_of_the_set_is_said", {"DSP-703"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CPU");
    const auto x = probe(subject, "CUDA");
    const auto how = [&](Session& s) { s.dispatch().call(kOp, {x}, {.boxed = true}); };
    const std::string message = message_of([&] {
      within(
          subject, [](Session& s) { s.dispatch().exclude("CUDA"); }, how);
    });
    expect_true(message.find(kOp) != std::string::npos, "the operator is named: " + message);
    // Only one backend bit remains: the second.
    expect_true(has_word(message, "2") || message.find("0x2") != std::string::npos ||
                    message.find("0000000000000002") != std::string::npos,
                "the set is 0x" + hex(2) + ": " + message);
  }).only(Deviations::kStrict);

  conformance("a_tensor_whose_keys_are_all_masked_counts_as_none", {"DSP-703"},
              [](Session& subject) {
                const auto def = define(subject);
                at(subject, kOp, "CPU");
                const auto x = probe(subject, "CPU");
                expect_error(
                    [&] {
                      within(
                          subject, [](Session& s) { s.dispatch().exclude("CPU"); },
                          [&](Session& s) { s.dispatch().call(kOp, {x}, {.boxed = true}); });
                    },
                    ErrorKind::kNotImplemented, {kOp, "CPU"});
              });
}

CASES("dispatch/queries") {
  conformance(
      "a_kernel_that_is_registered_and_one_that_is_computed", {"DSP-707"}, [](Session& subject) {
        const auto def = define(subject);
        at(subject, kOp, "CompositeImplicitAutograd");
        expect_false(subject.dispatch().has_kernel(kOp, "CPU"), "CPU has no kernel of its own");
        expect_true(subject.dispatch().has_kernel(kOp, "CompositeImplicitAutograd"),
                    "registered at the alias");
        for (const char* key : {"CPU", "AutogradXLA", "NestedTensorCUDA"}) {
          expect_true(subject.dispatch().has_computed_kernel(kOp, key),
                      std::string(key) + " has a computed kernel");
        }
        expect_false(subject.dispatch().has_computed_kernel(kOp, "TESTING_ONLY_GenericMode"),
                     "a mode's key has no computed kernel");
      });

  conformance("an_alias_has_no_computed_kernel", {"DSP-707"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CompositeImplicitAutograd");
    for (const char* alias : {"CompositeImplicitAutograd", "Autograd"}) {
      expect_error([&] { subject.dispatch().has_computed_kernel(kOp, alias); }, ErrorKind::kError);
    }
  });

  conformance("any_kernel_means_registered_at_one_of_the_keys", {"DSP-707"}, [](Session& subject) {
    const auto def = define(subject);
    at(subject, kOp, "CompositeImplicitAutograd");
    expect_false(subject.dispatch().has_any_kernel(kOp, {"CPU", "CUDA"}),
                 "a kernel at an alias is not a kernel at a key");
    at(subject, kOp, "CUDA");
    expect_true(subject.dispatch().has_any_kernel(kOp, {"CPU", "CUDA"}),
                "there is a kernel at CUDA");
    expect_false(subject.dispatch().has_any_kernel(kOp, "Tracer"), "Tracer has no kernel");
  });

  conformance("a_fallback_is_found_at_its_key", {"DSP-707"}, [](Session& subject) {
    expect_false(subject.dispatch().has_fallback("XLA"), "XLA has no fallback before");
    const auto fallback = subject.dispatch().fallback(boxed_kernel(subject, "f"), {.key = "XLA"});
    expect_true(subject.dispatch().has_fallback("XLA"), "XLA has a fallback while it lives");
    expect_false(subject.dispatch().has_fallback("CUDA"), "another key has no fallback");
    fallback.drop();
    expect_false(subject.dispatch().has_fallback("XLA"), "XLA has no fallback afterwards");
  });

  conformance("names_are_listed_with_and_without_schema", {"DSP-707", "DSP-701"},
              [](Session& subject) {
                const auto g = define(subject, "ask::g");
                const auto f = at(subject, "ask::f", "CPU");
                define(subject, "other::h");
                expect_texts(subject.dispatch().ops("ask"), {"ask::f", "ask::g"});
                g.drop();
                expect_texts(subject.dispatch().ops("ask"), {"ask::f"});
                f.drop();
                expect_texts(subject.dispatch().ops("ask"), {});
              });

  conformance("registrations_are_listed_by_key", {"DSP-707"}, [](Session& subject) {
    define_overload(subject, "ask::bare");
    at(subject, "ask::f", "CPU");
    at(subject, "ask::g", "CUDA");
    at(subject, "ask::h", "CompositeImplicitAutograd");
    const DispatchClient dispatch = subject.dispatch();
    expect_texts(dispatch.registrations("CPU", "ask"), {"ask::f"});
    expect_texts(dispatch.registrations("CUDA", "ask"), {"ask::g"});
    expect_texts(dispatch.registrations("CompositeImplicitAutograd", "ask"), {"ask::h"});
    expect_texts(dispatch.registrations("XLA", "ask"), {});
    expect_texts(dispatch.registrations({}, "ask"), {"ask::bare", "ask::f", "ask::g", "ask::h"});
  });

  conformance("a_named_tensor_guard_names_the_operator", {"DSP-708"}, [](Session& subject) {
    const auto def = define(subject);
    subject.dispatch().impl(kOp, subject.dispatch().kernel({.behaviour = "named_guard"}),
                            {.key = "Named"});
    at(subject, kOp, "CPU");
    const auto x = probe(subject, {"CPU", "Named"});
    for (const CallOptions& how :
         {CallOptions{.boxed = true}, CallOptions{.signature = "Tensor(const Tensor&)"}}) {
      expect_error([&] { subject.dispatch().call(kOp, {x}, how); }, ErrorKind::kError,
                   {kOp, "named"});
    }
    expect_text(reached(subject, kOp, {probe(subject, "CPU")}), "CPU");
  }).until(Release::k2_12);

  conformance("a_trace_lists_each_call_and_redispatch_in_order", {"DSP-709"}, [](Session& subject) {
    const auto def = define(subject);
    subject.dispatch().impl(
        kOp, subject.dispatch().kernel({.behaviour = "redispatch", .label = "outer"}),
        {.key = "AutogradCPU"});
    at(subject, kOp, "CPU", "inner");
    const auto x = probe(subject, {"CPU", "AutogradCPU"});
    const std::string trace = "ask.trace";
    Command enter;
    enter.verb = "dispatch.trace";
    enter.as = trace;
    const auto replies = subject.scope({enter}, subject.block([&](Session& s) {
      s.dispatch().call(kOp, {x}, {.boxed = true});
      s.send("dispatch.traced", {{"trace", Ref{trace}}});
      s.send("dispatch.traced", {{"trace", Ref{trace}}});
    }));
    const auto seen = ran_from(field(replies.at(1), "result"));
    expect_equal(static_cast<std::int64_t>(seen.size()), 2);
    expect_text(seen.at(0).op, kOp);
    expect_text(seen.at(0).key, "AutogradCPU");
    expect_text(seen.at(1).key, "CPU");
    expect_true(ran_from(field(replies.at(2), "result")).empty(),
                "what was asked for once is not told again");
  });

  conformance("a_trace_keeps_what_ran_before_an_error", {"DSP-709", "DSP-613"},
              [](Session& subject) {
                const auto def = define(subject);
                subject.dispatch().impl(
                    kOp, subject.dispatch().kernel({.behaviour = "redispatch", .label = "outer"}),
                    {.key = "AutogradCPU"});
                const auto x = probe(subject, {"CPU", "AutogradCPU"});
                const std::string trace = "ask.trace";
                subject.send("dispatch.trace", {}, trace);
                expect_error([&] { subject.dispatch().call(kOp, {x}, {.boxed = true}); },
                             ErrorKind::kNotImplemented);
                const auto seen = subject.dispatch().traced(Ref{trace});
                subject.send("leave", {{"guard", Ref{trace}}});
                expect_equal(static_cast<std::int64_t>(seen.size()), 1);
                expect_text(seen.at(0).kernel, "outer");
              });
}

}  // namespace assay::suites
