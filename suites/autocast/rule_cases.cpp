// One case for every rule of the lists for CPU and CUDA that can be called.
#include <map>
#include <tuple>

#include "harness/suite/reading.hpp"
#include "suites/autocast/lists.hpp"

namespace assay::suites {
namespace {

/// The dtype argument that a policy sets or appends follows the tensors.
std::string last_letter(const std::string& letters) { return letters.substr(letters.size() - 1); }

bool all_floats_are(const std::string& letters, char wanted) {
  return std::all_of(letters.begin(), letters.end(), [wanted](char letter) {
    return letter == wanted || letter == 'i' || letter == 'j' || letter == 'o';
  });
}

/// The dtype of the first tensor of a result, if it is floating and has values in the protocol.
std::optional<Dtype> floating_result(const Value& result) {
  const List* list = result.get_if<List>();
  const Value& first = list == nullptr ? result : list->items.at(0);
  const TensorValue* tensor = first.tensor();
  if (tensor == nullptr || !is_floating(tensor->dtype)) return std::nullopt;
  return tensor->dtype;
}

/// Names the result if there is only one, because complex elements have no values in the protocol.
Called call_listed(Session& subject, const std::string& op, std::vector<Value> args) {
  static const std::set<std::string> complex = {"aten::polar",      "aten::view_as_complex",
                                                "aten::stft",       "aten::stft.center",
                                                "aten::linalg_eig", "aten::linalg_eigvals"};
  const bool named = op.starts_with("aten::fft_") || complex.contains(op);
  return call(subject, op, std::move(args), named ? subject.fresh_name("r") : "");
}

void expect_cast(Session& subject, const Target& target, const std::string& op, Dtype first,
                 Dtype rest, Dtype wanted) {
  const auto args = arguments_of_listed(target, op, first, rest);
  const Called called = call_listed(subject, op, args);
  const auto kernel = called.kernel();
  if (kernel) {
    const std::string reached = letters_of(tensor_types(kernel->arguments));
    const char letter = letters_of({wanted}).at(0);
    expect_true(all_floats_are(reached, letter),
                "its kernel got " + reached + "; all floats are " + letter);
  }
  const auto result = floating_result(called.result());
  if (result) expect_equal(*result, wanted);
  expect_true(kernel || result || called.result().is<Ref>(),
              "a kernel or a result shows what was cast");
}

void lowers(Session& subject, const Target& target, const std::string& op) {
  expect_cast(subject, target, op, Dtype::kFloat32, Dtype::kFloat32, target.low);
}

void raises(Session& subject, const Target& target, const std::string& op) {
  expect_cast(subject, target, op, target.low, target.low, Dtype::kFloat32);
}

void promotes(Session& subject, const Target& target, const std::string& op) {
  expect_cast(subject, target, op, target.low, target.low, target.low);
  expect_cast(subject, target, op, Dtype::kFloat32, target.low, Dtype::kFloat32);
}

/// matrix_norm does not support half: its tensor is float32, and the dtype argument is still set.
void fills(Session& subject, const Target& target, const std::string& op) {
  const Called called = call(subject, op, arguments_of_listed(target, op, target.low, target.low));
  expect_equal(called.dtype(), Dtype::kFloat32);
  const auto kernel = called.kernel();
  if (kernel) {
    const std::string reached = letters_of(tensor_types(kernel->arguments));
    const bool is_matrix_norm = op.starts_with("aten::linalg_matrix_norm");
    expect_equal(reached.substr(0, 1), is_matrix_norm ? "f" : letters_of({target.low}));
    expect_equal(last_letter(reached), "f");
  }
}

void appends(Session& subject, const Target& target, const std::string& op) {
  const Called called = call(subject, op, arguments_of_listed(target, op, target.low, target.low));
  expect_equal(called.dtype(), Dtype::kFloat32);
  expect_false(called.kernel().has_value(), "the overload without a type does not run");
}

void bans(Session& subject, const Target& target, const std::string& op) {
  const auto args = arguments_of_listed(target, op, target.low, target.low);
  expect_error([&] { call(subject, op, args); }, ErrorKind::kError, {"unsafe to autocast"});
}

struct Policy {
  const char* verb;
  void (*check)(Session&, const Target&, const std::string&);
};

const std::map<std::string, Policy>& policies() {
  static const std::map<std::string, Policy> known = {
      {"lower_precision_fp", {"lowers", &lowers}},
      {"fp32", {"raises", &raises}},
      {"promote", {"promotes", &promotes}},
      {"fp32_set_opt_dtype", {"fills_the_type_of", &fills}},
      {"fp32_append_dtype", {"appends_a_type_to", &appends}},
      {"banned", {"bans", &bans}}};
  return known;
}

/// `cpu_lowers_conv2d_padding`
std::string case_name(const ListedRule& rule) {
  std::string op = rule.op.substr(rule.op.find("::") + 2);
  std::replace(op.begin(), op.end(), '.', '_');
  return rule.device + "_" + policies().at(rule.policy).verb + "_" + op;
}

std::vector<std::string> clauses_of(const std::string& policy) {
  static const std::map<std::string, std::vector<std::string>> clauses = {
      {"lower_precision_fp", {"CAST-1001", "CAST-401"}},
      {"fp32", {"CAST-1001", "CAST-402"}},
      {"promote", {"CAST-1001", "CAST-408"}},
      {"fp32_set_opt_dtype", {"CAST-1001", "CAST-403"}},
      {"fp32_append_dtype", {"CAST-1001", "CAST-406"}},
      {"banned", {"CAST-1001", "CAST-412"}}};
  return clauses.at(policy);
}

void add_rule(const ListedRule& rule, Release since, Release until) {
  const bool cuda = rule.device == "cuda";
  const auto body = [rule, cuda](Session& subject) {
    const Target target = cuda ? target_of(subject) : cpu_target();
    inside(subject, target, [&] { policies().at(rule.policy).check(subject, target, rule.op); });
  };
  CaseOptions options = conformance(case_name(rule), clauses_of(rule.policy), body);
  options.since(since).until(until);
  if (cuda) options.only(DeviceRules::kCuda);
}

/// Adds a case for each rule of CPU and CUDA that can be called, for the releases that have it.
void add_rules() {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<Release>> found;
  for (const Release release : kReleases) {
    for (const ListedRule& rule : listed_rules(release)) {
      const bool here = rule.device == "cpu" || rule.device == "cuda";
      // Registered for CPU in 1.13, but without effect (CAST-206).
      const bool inert = release == Release::k1_13 && rule.op == "aten::cat";
      if (!here || inert || !policies().contains(rule.policy) || !can_be_called(rule.op)) continue;
      found[{rule.op, rule.device, rule.policy}].push_back(release);
    }
  }
  for (const auto& [rule, releases] : found) {
    const auto& [op, device, policy] = rule;
    add_rule({.op = op, .device = device, .policy = policy}, releases.front(), releases.back());
  }
}

}  // namespace

CASES("autocast/rule") { add_rules(); }

}  // namespace assay::suites
