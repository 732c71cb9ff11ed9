// The lists of operators: the rules that are registered.
#include <algorithm>
#include <set>

#include "harness/suite/reading.hpp"
#include "suites/autocast/lists.hpp"

namespace assay::suites {
namespace {

std::vector<std::string> names_of(const std::vector<ListedRule>& rules) {
  std::vector<std::string> names;
  for (const ListedRule& rule : rules) names.push_back(rule.op);
  std::sort(names.begin(), names.end());
  return names;
}

/// Reports the first item that only one side has.
void expect_same_items(const std::vector<std::string>& got,
                       const std::vector<std::string>& wanted) {
  const std::set<std::string> here(got.begin(), got.end());
  const std::set<std::string> there(wanted.begin(), wanted.end());
  for (const std::string& item : wanted)
    expect_true(here.contains(item), "the runtime has " + item);
  for (const std::string& item : got) expect_true(there.contains(item), "the clause lists " + item);
}

std::vector<std::string> registered_at(Session& subject, const std::string& device) {
  const Reply reply = subject.send(
      "dispatch.registrations", {{"key", subject.autocast().key(device)}, {"namespace", "aten"}});
  std::vector<std::string> names;
  for (const Value& item : field_as<List>(reply, "result").items) {
    names.push_back(held_in<std::string>(item));
  }
  return names;
}

/// CPU-only builds lack it.
std::vector<std::string> without_rnn(std::vector<std::string> names) {
  std::erase_if(names,
                [](const std::string& name) { return name.starts_with("aten::_cudnn_rnn"); });
  return names;
}

/// The overloads of an operator that have a rule.
std::set<std::string> overloads_of(Session& subject, const std::string& device,
                                   const std::string& base) {
  std::set<std::string> found;
  for (const std::string& op : registered_at(subject, device)) {
    if (op == base || op.starts_with(base + ".")) found.insert(op);
  }
  return found;
}

bool has_rule(Session& subject, const std::string& device, const std::string& op) {
  return overloads_of(subject, device, op).contains(op);
}

/// The numbers of rules; `others`: XPU, MTIA and MAIA, each.
struct Numbers {
  std::int64_t cuda;
  std::int64_t others;
  std::int64_t cpu;
  std::int64_t mps;
};

Numbers numbers_in(Release release) {
  if (release >= Release::k2_14) return {121, 117, 126, 95};
  if (release >= Release::k2_13) return {120, 117, 127, 95};
  if (release >= Release::k2_12) return {127, 124, 129, 101};
  return {126, 123, 129, 101};
}

}  // namespace

CASES("autocast/lists") {
  conformance("rules_are_those_of_the_lists", {"CAST-1001"}, [](Session& subject) {
    for (const char* device : {"cpu", "cuda", "xpu", "mps", "mtia", "maia", "hpu", "xla"}) {
      if (subject.contract().release < Release::k2_11 && std::string(device) != "cpu" &&
          std::string(device) != "cuda" && std::string(device) != "xpu") {
        continue;
      }
      const ScopedTrace at(device);
      std::vector<std::string> wanted;
      for (const ListedRule& rule : listed_rules(subject.contract().release, device)) {
        wanted.push_back(rule.op + "=" + rule.policy);
      }
      expect_same_items(without_rnn(subject.autocast().rules(device)), without_rnn(wanted));
    }
  });

  conformance("registrations_are_those_of_the_lists", {"CAST-1001", "CAST-1002"},
              [](Session& subject) {
                for (const char* device : {"cpu", "cuda"}) {
                  const ScopedTrace at(device);
                  expect_same_items(
                      without_rnn(registered_at(subject, device)),
                      without_rnn(names_of(listed_rules(subject.contract().release, device))));
                }
              });

  conformance("other_devices_have_lists_too", {"CAST-1001"}, [](Session& subject) {
    for (const char* device : {"xpu", "mps", "mtia", "maia"}) {
      const ScopedTrace at(device);
      expect_same_items(registered_at(subject, device),
                        names_of(listed_rules(subject.contract().release, device)));
    }
  }).since(Release::k2_11);

  conformance("four_devices_have_a_key_and_no_rules", {"CAST-1001"}, [](Session& subject) {
    for (const char* device : {"hpu", "ipu", "xla", "privateuseone"}) {
      const ScopedTrace at(device);
      const bool has_backend = backend_key(target_of(subject)) == "PrivateUse1";
      if (has_backend && device == std::string_view("privateuseone")) continue;
      expect_true(registered_at(subject, device).empty(), "it has no rules");
    }
  }).since(Release::k2_4);

  conformance("cuda_has_a_rule_for_rnns", {"CAST-1001"}, [](Session& subject) {
    const std::vector<std::string> rules = subject.autocast().rules("cuda");
    const std::string wanted = "aten::_cudnn_rnn=custom_rnn_reflatten";
    expect_true(std::find(rules.begin(), rules.end(), wanted) != rules.end(), "it has the rule");
  }).only(DeviceRules::kCuda);

  conformance("numbers_of_rules", {"CAST-1001"}, [](Session& subject) {
    const Numbers wanted = numbers_in(subject.contract().release);
    const auto count = [&](const char* device) {
      return static_cast<std::int64_t>(subject.autocast().rules(device).size());
    };
    expect_equal(count("cuda"), wanted.cuda);
    for (const char* device : {"xpu", "mtia", "maia"}) expect_equal(count(device), wanted.others);
    expect_equal(count("cpu"), wanted.cpu);
    expect_equal(count("mps"), wanted.mps);
  }).since(Release::k2_11);

  conformance("numbers_of_rules_in_1_13", {"CAST-1002"}, [](Session& subject) {
    expect_equal(static_cast<std::int64_t>(without_rnn(registered_at(subject, "cuda")).size()),
                 107);
    expect_equal(static_cast<std::int64_t>(registered_at(subject, "cpu").size()), 126);
  }).until(Release::k1_13);

  conformance("rules_belong_to_overloads", {"CAST-306"}, [](Session& subject) {
    // Until 2.12 each has an overload with names of dimensions.
    const std::int64_t named = subject.contract().release < Release::k2_13 ? 1 : 0;
    const auto count = [&](const char* base) {
      return static_cast<std::int64_t>(overloads_of(subject, "cuda", base).size());
    };
    expect_equal(count("aten::pow"), 3);
    expect_equal(count("aten::prod"), 2 + named);
    expect_equal(count("aten::softmax"), 1 + named);
    expect_equal(count("aten::norm"), 2 + named);
    expect_true(has_rule(subject, "cuda", "aten::pow.Tensor_Scalar"),
                "pow.Tensor_Scalar has a rule");
  });

  conformance("neither_in_place_nor_out_overloads_have_rules", {"CAST-115", "CAST-412"},
              [](Session& subject) {
                for (const char* device : {"cpu", "cuda"}) {
                  for (const std::string& op : registered_at(subject, device)) {
                    const std::string base = op.substr(0, op.find('.'));
                    expect_false(base.ends_with("_"), op + " is not in place");
                    expect_false(op.ends_with("out"), op + " is no out variant");
                  }
                }
              });

  conformance("the_cpu_has_three_policies", {"CAST-414"}, [](Session& subject) {
    std::set<std::string> seen;
    for (const std::string& rule : subject.autocast().rules("cpu")) {
      seen.insert(rule.substr(rule.find('=') + 1));
    }
    expect_true(seen == std::set<std::string>{"fp32", "lower_precision_fp", "promote"},
                "the CPU has three policies");
  });

  conformance("mps_raises_what_cuda_fills", {"CAST-414", "CAST-413"}, [](Session& subject) {
    const std::vector<std::string> rules = subject.autocast().rules("mps");
    const auto has = [&](const char* rule) {
      return std::find(rules.begin(), rules.end(), rule) != rules.end();
    };
    expect_true(has("aten::sum=fp32"), "sum is computed in fp32");
    expect_true(has("aten::softmax.int=fp32"), "softmax.int is computed in fp32");
    expect_false(has_rule(subject, "mps", "aten::binary_cross_entropy"),
                 "MPS has no rule for binary_cross_entropy");
  }).since(Release::k2_11);

  conformance("policies_that_changed", {"CAST-1003"}, [](Session& subject) {
    const bool old = subject.contract().release == Release::k1_13;
    const auto policy = [&](const char* device, const std::string& op) -> std::string {
      for (const std::string& rule : subject.autocast().rules(device)) {
        if (rule.starts_with(op + "=")) return rule.substr(op.size() + 1);
      }
      return "none";
    };
    for (const char* op : {"aten::conv_transpose1d", "aten::conv_transpose2d.input",
                           "aten::conv_transpose3d.input"}) {
      expect_equal(policy("cpu", op), old ? "fp32" : "lower_precision_fp");
    }
    expect_equal(policy("cuda", "aten::grid_sampler"), "promote");
    expect_equal(policy("cpu", "aten::grid_sampler"), "fp32");
    for (const char* op : {"aten::gelu", "aten::cat", "aten::stack", "aten::equal"}) {
      expect_equal(policy("cuda", op), "none");
    }
    const bool has_rms_norm = subject.contract().release >= Release::k2_12;
    expect_equal(policy("cuda", "aten::rms_norm"), has_rms_norm ? "fp32" : "none");
    expect_equal(policy("cuda", "aten::vdot"), old ? "none" : "promote");
    expect_equal(policy("cuda", "aten::upsample_nearest1d"), old ? "none" : "fp32");
    expect_equal(policy("cuda", "aten::scaled_dot_product_attention"),
                 old ? "none" : "lower_precision_fp");
  });

  conformance("rms_norm_has_a_rule_since_2_12", {"CAST-1003"}, [](Session& subject) {
    const bool is_listed = subject.contract().release >= Release::k2_12;
    for (const char* device : {"cuda", "xpu", "mtia", "maia"}) {
      const ScopedTrace at(device);
      expect_equal(has_rule(subject, device, "aten::rms_norm"), is_listed);
    }
    for (const char* device : {"cpu", "mps"}) {
      const ScopedTrace at(device);
      expect_false(has_rule(subject, device, "aten::rms_norm"), "it has no rule");
    }
  }).since(Release::k2_11);

  conformance("no_rule_is_for_names_of_dimensions", {"CAST-1003", "CAST-306"},
              [](Session& subject) {
                for (const char* device : {"cpu", "cuda", "xpu", "mps", "mtia", "maia"}) {
                  const ScopedTrace at(device);
                  for (const std::string& op : registered_at(subject, device)) {
                    const bool is_named = op.find("imname") != std::string::npos ||
                                          op.find(".names_") != std::string::npos;
                    expect_false(is_named, op + " takes names of dimensions");
                  }
                }
              })
      .since(Release::k2_13);

  conformance("the_old_factorizations_are_gone", {"CAST-1003"}, [](Session& subject) {
    for (const char* op : {"aten::cholesky", "aten::qr"}) {
      const ScopedTrace at(op);
      expect_false(has_rule(subject, "cpu", op), "it has no rule");
    }
    for (const char* op : {"aten::linalg_cholesky", "aten::linalg_qr"}) {
      expect_true(has_rule(subject, "cpu", op), std::string(op) + " has a rule");
    }
  }).since(Release::k2_14);

  conformance("two_devices_have_a_rule_for_matrix_sqrth", {"CAST-1003"}, [](Session& subject) {
    const char* op = "aten::linalg_matrix_sqrth";
    for (const char* device : {"cpu", "cuda"}) {
      const ScopedTrace at(device);
      expect_true(has_rule(subject, device, op), "it has a rule");
    }
    for (const char* device : {"xpu", "mps", "mtia", "maia"}) {
      const ScopedTrace at(device);
      expect_false(has_rule(subject, device, op), "it has no rule");
    }
  }).since(Release::k2_14);

  conformance("fp32_rules_are_for_default_overloads", {"CAST-1004"}, [](Session& subject) {
    for (const char* op : {"aten::upsample_nearest1d", "aten::upsample_bilinear2d"}) {
      expect_true(overloads_of(subject, "cuda", op) == std::set<std::string>{op},
                  std::string(op) + " has rules for no other overload");
    }
    expect_true(has_rule(subject, "cuda", "aten::native_layer_norm"),
                "native_layer_norm has a rule on CUDA");
    expect_true(has_rule(subject, "cuda", "aten::nuclear_norm.dim"),
                "nuclear_norm.dim has a rule on CUDA");
    expect_true(has_rule(subject, "cpu", "aten::cross_entropy_loss"),
                "cross_entropy_loss has a rule on the CPU");
    expect_false(has_rule(subject, "cuda", "aten::cross_entropy_loss"),
                 "cross_entropy_loss has no rule on CUDA");
  }).since(Release::k2_4);
}

}  // namespace assay::suites
