// The two dumps of an operator: its registrations, and the computed table.
#include <sstream>

#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "dump::f";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The lines that begin with `head`.
std::vector<std::string> starting(const std::string& text, const std::string& head) {
  std::vector<std::string> found;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with(head)) found.push_back(line);
  }
  return found;
}

/// Exactly one line begins with `head` and contains these words.
void expect_line(const std::string& text, const std::string& head,
                 const std::vector<std::string>& words, Where where = Where::current()) {
  const auto found = starting(text, head);
  expect_true(found.size() == 1, "one line opens with '" + head + "' in:\n" + text, where);
  for (const std::string& word : words) {
    expect_true(found[0].find(word) != std::string::npos, "'" + word + "' in: " + found[0], where);
  }
}

std::size_t index_of(const std::string& text, const std::string& head) {
  const auto lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with(head)) return i;
  }
  return lines.size();
}

DispatchObject impl(Session& subject, const DispatchObject& kernel, const std::string& key,
                    const std::string& place) {
  return subject.dispatch().impl(kOp, kernel, {.key = key, .at = place});
}

}  // namespace

CASES("dispatch/dump") {
  conformance("the_state_opens_with_what_the_operator_is", {"DSP-705"}, [](Session& subject) {
    const auto def = subject.dispatch().def("dump::f(Tensor x) -> Tensor",
                                            {.alias_kind = "PURE_FUNCTION", .at = "defs.cpp:3"});
    const std::string state = subject.dispatch().describe(kOp).state;
    expect_line(state, "name:", {kOp});
    expect_line(state, "schema:", {"dump::f(Tensor x) -> Tensor"});
    expect_line(state, "debug:", {"defs.cpp:3"});
    expect_line(state, "alias analysis kind:", {"PURE_FUNCTION"});
  });

  conformance("the_kind_of_aliases_is_what_the_definition_says", {"DSP-705"}, [](Session& subject) {
    for (const char* kind : {"FROM_SCHEMA", "CONSERVATIVE", "PURE_FUNCTION"}) {
      const auto def = subject.dispatch().def("dump::f(Tensor x) -> Tensor", {.alias_kind = kind});
      expect_text(subject.dispatch().describe(kOp).alias_kind, kind);
      def.drop();
    }
    const auto def = subject.dispatch().def("dump::f(Tensor x) -> Tensor");
    expect_text(subject.dispatch().describe(kOp).alias_kind, "FROM_SCHEMA");
  });

  conformance("the_state_says_where_there_is_no_schema", {"DSP-705"}, [](Session& subject) {
    const auto kernel = impl(subject, boxed_kernel(subject, "k"), "CPU", "cpu.cpp:1");
    const OpInfo info = subject.dispatch().describe(kOp);
    expect_line(info.state, "schema:", {"(none)"});
    expect_false(info.schema.has_value(), "it has no schema");
  });

  conformance("the_state_lists_each_kernel_with_its_form", {"DSP-705"}, [](Session& subject) {
    const auto def = subject.dispatch().def("dump::f(Tensor x) -> Tensor");
    impl(subject, typed_kernel(subject, "typed"), "CPU", "typed.cpp:1");
    impl(subject, boxed_kernel(subject, "boxed"), "CUDA", "boxed.cpp:2");
    impl(subject, fallthrough_kernel(subject), "Tracer", "falls.cpp:3");
    impl(subject, boxed_kernel(subject, "alias"), "Autograd", "alias.cpp:4");
    const std::string state = subject.dispatch().describe(kOp).state;

    expect_line(state, "CPU:", {"typed.cpp:1", "::", "(Tensor _0) -> Tensor _0", "boxed unboxed"});
    expect_line(state, "CUDA:", {"boxed.cpp:2", "(none)", "boxed"});
    expect_true(starting(state, "CUDA:")[0].find("unboxed") == std::string::npos,
                "CUDA's kernel is boxed only");
    expect_line(state, "Tracer:", {"falls.cpp:3", "fallthrough"});
    expect_line(state, "Autograd[alias]:", {"alias.cpp:4"});
  });

  conformance("the_state_lists_the_newest_kernel_of_a_key_first", {"DSP-705"},
              [](Session& subject) {
                const auto def = subject.dispatch().def("dump::f(Tensor x) -> Tensor");
                impl(subject, boxed_kernel(subject, "k1"), "CPU", "first.cpp:1");
                impl(subject, boxed_kernel(subject, "k2"), "CPU", "second.cpp:2");
                const std::string state = subject.dispatch().describe(kOp).state;
                expect_line(state, "CPU:", {"second.cpp:2"});
                expect_line(state, "CPU (inactive):", {"first.cpp:1"});
                expect_true(index_of(state, "CPU:") < index_of(state, "CPU (inactive):"),
                            "the active kernel comes first");
              });

  conformance("plain_keys_then_runtime_keys_then_aliases", {"DSP-705"}, [](Session& subject) {
    const auto def = subject.dispatch().def("dump::f(Tensor x) -> Tensor");
    const auto kernel = boxed_kernel(subject, "k");
    const std::vector<std::string> in_order{"FPGA",      "Tracer",      "CPU",
                                            "SparseCPU", "AutogradCPU", "Autograd"};
    for (auto key = in_order.rbegin(); key != in_order.rend(); ++key) {
      impl(subject, kernel, *key, "here.cpp:1");
    }
    const std::string state = subject.dispatch().describe(kOp).state;
    std::size_t last = 0;
    for (const std::string& key : in_order) {
      const std::size_t at = index_of(state, key == "Autograd" ? "Autograd[alias]:" : key + ":");
      expect_true(at > last, key + " stands in its place in:\n" + state);
      last = at;
    }
  });

  conformance("the_state_has_no_fallbacks_and_the_table_has", {"DSP-705", "DSP-706"},
              [](Session& subject) {
                const auto def = subject.dispatch().def("dump::f(Tensor x) -> Tensor");
                subject.dispatch().fallback(boxed_kernel(subject, "f"),
                                            {.key = "XLA", .at = "fallback.cpp:9"});
                const OpInfo info = subject.dispatch().describe(kOp);
                expect_true(starting(info.state, "XLA").empty(), "XLA is not in the state");
                expect_line(info.table, "XLA:", {"fallback.cpp:9", "backend fallback"});
              });

  conformance(
      "the_table_says_which_rule_chose_each_entry", {"DSP-706", "DSP-501"}, [](Session& subject) {
        const auto def = subject.dispatch().def("dump::f(Tensor x) -> Tensor");
        const auto kernel = boxed_kernel(subject, "k");
        impl(subject, kernel, "CPU", "cpu.cpp:1");
        impl(subject, kernel, "CompositeExplicitAutograd", "cea.cpp:2");
        impl(subject, kernel, "Autograd", "autograd.cpp:3");
        const std::string table = subject.dispatch().describe(kOp).table;
        expect_line(table, "CPU:", {"cpu.cpp:1", "[kernel]"});
        expect_line(table, "CUDA:", {"cea.cpp:2", "[default backend kernel]"});
        expect_line(table, "Undefined:", {"cea.cpp:2", "[default backend kernel]"});
        expect_line(table, "AutogradXLA:", {"autograd.cpp:3", "[autograd kernel]"});
        expect_line(table, "ADInplaceOrView:", {"fallthrough", "[backend fallback]"});
        expect_true(starting(table, "NestedTensorCPU").empty(), "NestedTensorCPU is not there");
        expect_true(starting(table, "Tracer").empty() || !subject.contract().strict(),
                    "under the strict contract Tracer is not there");
      });

  conformance("the_table_knows_composite_nested_and_ambiguous_entries", {"DSP-706", "DSP-504"},
              [](Session& subject) {
                const auto def = subject.dispatch().def("dump::f(Tensor x) -> Tensor");
                const auto kernel = boxed_kernel(subject, "k");
                impl(subject, kernel, "FPGA", "fpga.cpp:1");
                impl(subject, kernel, "CompositeImplicitAutogradNestedTensor", "nested.cpp:2");
                impl(subject, kernel, "CompositeImplicitAutograd", "cia.cpp:3");
                const std::string table = subject.dispatch().describe(kOp).table;
                expect_line(table, "CPU:", {"cia.cpp:3", "[math kernel]"});
                expect_line(table, "NestedTensorCPU:", {"nested.cpp:2", "[nested kernel]"});
                expect_line(table, "AutogradOther:", {"ambiguous"});
                expect_line(table, "AutogradCPU:", {"cia.cpp:3", "[math kernel]"});
              });

  conformance("the_table_is_by_the_rule_and_not_what_calls_see", {"DSP-706", "DSP-509"},
              [](Session& subject) {
                const auto def = subject.dispatch().def("dump::f(Tensor x) -> Tensor");
                at(subject, kOp, "CompositeImplicitAutograd", "implicit");
                at(subject, kOp, "CompositeExplicitAutograd", "explicit");
                const auto fresh = starting(subject.dispatch().describe(kOp).table, "AutogradCPU:");
                expect_true(fresh.empty() || fresh[0].find("math kernel") == std::string::npos,
                            "the composite kernel is not in the table");
                expect_text(reached(subject, kOp, {device_tensor(subject, "cpu")}),
                            subject.contract().strict() ? "explicit" : "implicit");
              });
}

}  // namespace assay::suites
