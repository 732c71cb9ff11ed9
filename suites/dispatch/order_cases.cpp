// Registrations and deregistrations give the same result in any order: all permutations of the set
// in the clause, checked by calls after every step.
#include <algorithm>
#include <map>
#include <set>

#include "harness/suite/reading.hpp"
#include "suites/dispatch/model/batch.hpp"
#include "suites/dispatch/model/model.hpp"
#include "suites/dispatch/probing.hpp"

namespace assay::suites {
namespace {

const std::string kOp = "order::f";

/// One of the registrations in the permutations. The key of the definition is `def`.
using Parts = std::vector<std::string>;
using Order = std::vector<std::size_t>;

const Parts kNamed{"def", "CompositeImplicitAutograd", "CPU", "Autograd", "AutogradCPU"};
const Parts kMixed{"def", "CPU", "CUDA", "fallthrough AutogradCPU", "fallback XLA"};

/// The key sets of calls after each step: each has one of the tested slots as its highest.
const std::vector<std::vector<std::string>> kProbes{
    {"CPU"},          {"CUDA"}, {"XLA"}, {"CPU", "AutogradCPU"}, {"CUDA", "AutogradCUDA"},
    {"AutogradOther"}};

Order ascending(std::size_t count) {
  Order order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  return order;
}

std::vector<Order> all_orders(std::size_t count) {
  std::vector<Order> orders;
  Order order = ascending(count);
  do orders.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

std::string in_words(const Parts& parts, const Order& order) {
  std::string text;
  for (const std::size_t index : order) text += (text.empty() ? "" : ", ") + parts[index];
  return text;
}

/// Data shared by all orders of one set: tensors, kernels, and errors already observed.
struct Stage {
  Session& subject;
  const Parts& parts;
  Model bare;
  std::vector<DispatchObject> probes = {};
  std::vector<DispatchObject> kernels = {};
  /// Registered parts with a probe that failed; such calls are sent one by one, and only once.
  std::set<std::pair<std::set<std::size_t>, std::size_t>> errors_seen = {};
};

Stage stage_for(Session& subject, const Parts& parts) {
  Stage stage{.subject = subject, .parts = parts, .bare = model_of(subject)};
  for (const auto& keys : kProbes) stage.probes.push_back(probe(subject, keys));
  for (const std::string& part : parts) {
    const bool falls = part.starts_with("fallthrough ");
    stage.kernels.push_back(falls ? fallthrough_kernel(subject) : boxed_kernel(subject, part));
  }
  return stage;
}

/// The operator under a changing set of registrations, with its model.
class ChangingOperator {
 public:
  explicit ChangingOperator(Stage& stage)
      : stage_(stage), parts_(stage.parts), model_(stage.bare), batch_(stage.subject) {
    model_.set_schema(kOp, false);
  }

  void add(std::size_t index) {
    batch_.then([&](Session& s) { register_part(s, index); });
    live_.insert(index);
    if (index == 0) return model_.set_schema(kOp, true);
    const bool falls = parts_[index].starts_with("fallthrough ");
    const TableEntry entry{falls ? TableEntry::Kind::kFallthrough : TableEntry::Kind::kKernel,
                           falls ? "" : parts_[index]};
    numbers_[index] = is_fallback(index) ? model_.add_fallback(key_of(index), entry)
                                         : model_.add(kOp, key_of(index), entry);
  }

  void remove(std::size_t index) {
    batch_.then([&](Session& s) { s.drop(name_of(index)); });
    live_.erase(index);
    if (index == 0) return model_.set_schema(kOp, false);
    model_.remove(numbers_.at(index));
    numbers_.erase(index);
  }

  /// Checks that every probe reaches the kernel predicted by the model.
  void judge() {
    for (std::size_t i = 0; exists() && i < kProbes.size(); ++i) judge_call(i);
    expect_found(false, exists());
    expect_found(true, live_.contains(0));
  }

  /// `state` and `table`: equal registrations give equal texts.
  void compare_dumps(std::map<std::set<std::size_t>, std::string>& seen) {
    if (!exists()) return;
    batch_.then([](Session& s) { s.dispatch().describe(kOp); }, "described",
                [&seen, live = live_](const Reply& reply) {
                  const std::string text =
                      field_as<std::string>(reply, "state") + field_as<std::string>(reply, "table");
                  const auto [held, is_new] = seen.emplace(live, text);
                  if (!is_new) expect_text(text, held->second);
                });
  }

  void flush() { batch_.flush(); }

 private:
  bool is_fallback(std::size_t index) const { return parts_[index].starts_with("fallback "); }
  std::string key_of(std::size_t index) const {
    return parts_[index].substr(parts_[index].find(' ') + 1);
  }
  static std::string name_of(std::size_t index) { return "order." + std::to_string(index); }
  bool exists() const {
    return std::any_of(live_.begin(), live_.end(),
                       [&](std::size_t index) { return !is_fallback(index); });
  }

  void register_part(Session& s, std::size_t index) {
    if (index == 0) {
      s.send("dispatch.def", {{"schema", kOp + "(Tensor x) -> Tensor"}, {"at", "order.cpp:1"}},
             name_of(index));
      return;
    }
    Fields with{{"kernel", stage_.kernels[index]}, {"key", key_of(index)}, {"at", "order.cpp:2"}};
    if (!is_fallback(index)) with.set("op", kOp);
    s.send(is_fallback(index) ? "dispatch.fallback" : "dispatch.impl", with, name_of(index));
  }

  void judge_call(std::size_t number) {
    const Layout& layout = model_.layout();
    const ExpectedCall wanted = model_.call(
        kOp, {.args = layout.union_of(kProbes[number]), .included = layout.included_by_default()});
    const CallOptions how{.signature = "Tensor(const Tensor&)"};
    const std::vector<Value> args{stage_.probes[number]};
    const std::string words = kProbes[number].back();
    if (!wanted.error) {
      return batch_.then([&](Session& s) { s.dispatch().call(kOp, args, how); }, words,
                         [label = wanted.text()](const Reply& reply) {
                           expect_text(last_of(called_from(reply).ran).kernel, label);
                         });
    }
    if (!stage_.errors_seen.emplace(live_, number).second) return;
    batch_.flush();
    const ScopedTrace place(words);
    expect_text(reached(stage_.subject, kOp, args, how), wanted.text());
  }

  void expect_found(bool need_schema, bool wanted) {
    batch_.then([&](Session& s) { s.dispatch().find(kOp, need_schema); },
                need_schema ? "find with a schema" : "find",
                [wanted](const Reply& reply) { expect_equal(field(reply, "result"), wanted); });
  }

  Stage& stage_;
  const Parts& parts_;
  Model model_;
  Batch batch_;
  std::set<std::size_t> live_;
  std::map<std::size_t, int> numbers_;
};

void register_in(Stage& stage, const Order& order) {
  const ScopedTrace row("registered: " + in_words(stage.parts, order));
  ChangingOperator shifting(stage);
  for (const std::size_t index : order) {
    shifting.add(index);
    shifting.judge();
  }
  for (const std::size_t index : order) shifting.remove(index);
  shifting.judge();
  shifting.flush();
}

void deregister_in(Stage& stage, const Order& order) {
  const ScopedTrace row("deregistered: " + in_words(stage.parts, order));
  ChangingOperator shifting(stage);
  for (const std::size_t index : ascending(stage.parts.size())) shifting.add(index);
  for (const std::size_t index : order) {
    shifting.remove(index);
    shifting.judge();
  }
  shifting.flush();
}

void in_all_orders(Session& subject, const Parts& parts, void (*run)(Stage&, const Order&)) {
  Stage stage = stage_for(subject, parts);
  for (const Order& order : all_orders(parts.size())) run(stage, order);
}

}  // namespace

CASES("dispatch/order") {
  conformance("registrations_come_in_any_order", {"DSP-416", "DSP-501", "DSP-509"},
              [](Session& subject) { in_all_orders(subject, kNamed, register_in); });

  conformance("registrations_go_in_any_order", {"DSP-416", "DSP-418", "DSP-509"},
              [](Session& subject) { in_all_orders(subject, kNamed, deregister_in); });

  conformance("definitions_kernels_fallthroughs_and_fallbacks_come_in_any_order",
              {"DSP-416", "DSP-408", "DSP-511", "DSP-515"},
              [](Session& subject) { in_all_orders(subject, kMixed, register_in); });

  conformance("definitions_kernels_fallthroughs_and_fallbacks_go_in_any_order",
              {"DSP-416", "DSP-418", "DSP-511", "DSP-515"},
              [](Session& subject) { in_all_orders(subject, kMixed, deregister_in); });

  conformance("equal_registrations_are_described_equally", {"DSP-416", "DSP-705", "DSP-706"},
              [](Session& subject) {
                Stage stage = stage_for(subject, kNamed);
                std::map<std::set<std::size_t>, std::string> seen;
                for (const Order& order : all_orders(kNamed.size())) {
                  const ScopedTrace row("order: " + in_words(kNamed, order));
                  ChangingOperator shifting(stage);
                  for (const std::size_t index : order) {
                    shifting.add(index);
                    shifting.compare_dumps(seen);
                  }
                  for (const std::size_t index : order) {
                    shifting.remove(index);
                    shifting.compare_dumps(seen);
                  }
                  shifting.flush();
                }
                expect_equal(static_cast<std::int64_t>(seen.size()), 31);
              });

  conformance("without_registrations_there_is_no_operator", {"DSP-416"}, [](Session& subject) {
    Stage stage = stage_for(subject, kNamed);
    for (const Order& order : {Order{0, 1, 2, 3, 4}, Order{4, 3, 2, 1, 0}, Order{2, 0, 4, 1, 3}}) {
      const ScopedTrace row(in_words(kNamed, order));
      ChangingOperator shifting(stage);
      for (const std::size_t index : order) shifting.add(index);
      for (const std::size_t index : order) shifting.remove(index);
      shifting.flush();
      expect_false(subject.dispatch().find(kOp), "the operator is not there");
      expect_texts(subject.dispatch().ops("order"), {});
    }
  });
}

}  // namespace assay::suites
