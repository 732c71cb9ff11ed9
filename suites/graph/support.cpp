// Helpers for cases of graphs.
#include "suites/graph/support.hpp"

namespace assay::suites {

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

std::vector<std::string> words_of_cuda(const Session& subject, std::vector<std::string> words) {
  if (subject.device().type != "cuda") words.clear();
  return words;
}

void Pair::expect(float wanted, Where where) const {
  const Reply reply = subject_->send("core.read", {{"tensor", *this}});
  expect_bits(tensor_field(reply, "result"), f32({wanted, wanted}), where);
}

}  // namespace assay::suites
