// What the cases of graphs share.
#include "suites/graph/support.hpp"

namespace assay::suites {

CaseOptions graph_case(std::string_view name, std::vector<std::string> clauses,
                       std::function<void(Session&)> body, Where where) {
  return conformance(name, std::move(clauses), std::move(body), where).only(DeviceRules::kCuda);
}

Pair::Pair(Session& subject, float value) : Pair(&subject, subject.fresh_name("pair")) {
  subject.send("core.tensor", {{"value", f32({value, value})}}, name_);
}

Pair Pair::copied(Session& subject, const Pair& from) {
  Pair made(&subject, subject.fresh_name("pair"));
  subject.send("core.to", {{"tensor", from}, {"copy", true}}, made.name_);
  return made;
}

void Pair::copy(const Pair& from) const {
  subject_->send("core.copy_", {{"dst", *this}, {"src", from}});
}

void Pair::set(float value) const {
  subject_->send("core.copy_", {{"dst", *this}, {"src", f32({value, value})}});
}

void Pair::expect(float wanted, Where where) const {
  const Reply reply = subject_->send("core.read", {{"tensor", *this}});
  expect_bits(tensor_field(reply, "result"), f32({wanted, wanted}), where);
}

void expect_refused(Session& subject, const std::function<void()>& action, std::int64_t code,
                    Where where) {
  const bool has_code = subject.contract().release == Release::k2_11 ||
                        subject.contract().deviations == Deviations::kStrict;
  try {
    action();
  } catch (const Raised& raised) {
    expect_equal(name_of(raised.error().kind), name_of(ErrorKind::kDevice), where);
    if (has_code) expect_equal(raised.error().code.value_or(Value()), code, where);
    return;
  }
  expect_true(false, "it raises", where);
}

}  // namespace assay::suites
