// Helpers for cases of failures.
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {

void fail_next(Session& subject, const std::string& call, std::int64_t code, bool after) {
  subject.sim().faults({{.call = call, .code = code, .occurrence = 1, .after = after}});
}

void stop_failing(Session& subject) { subject.sim().faults({}); }

void ignore_a_failure(Session& subject, std::int64_t code) {
  fail_next(subject, "get_device", code);
  expect_equal(subject.runtime().checked({.call = "get_device", .how = "handled"}), code);
  stop_failing(subject);
}

void expect_cuda_warning(Session& subject, const std::vector<std::string>& tokens, Where where) {
  std::vector<std::string> all = {"CUDA warning: "};
  all.insert(all.end(), tokens.begin(), tokens.end());
  expect_warning(subject.warnings(), "UserWarning", all, where);
}

}  // namespace assay::suites
