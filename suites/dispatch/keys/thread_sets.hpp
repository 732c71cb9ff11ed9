// The key sets of a thread, in cases: what is expected of them.
#pragma once

#include "suites/dispatch/keys/key_lists.hpp"
#include "suites/dispatch/scopes.hpp"

namespace assay::suites {

inline const KeyModel& model_of(const Session& subject) {
  return key_model(subject.contract().release);
}

inline KeyBits bits_of(Session& subject, const KeySet& set) {
  return subject.dispatch().set(set).set;
}

inline void expect_tls(const TlsSets& got, const TlsSets& wanted, Where where = Where::current()) {
  expect_bits_equal(got.included, wanted.included, where);
  expect_bits_equal(got.excluded, wanted.excluded, where);
}

/// The backends that PyTorch adds with a key and does not remove (DSP-215).
inline KeyBits left_behind(Session& subject, KeyBits before, const ModelKey& key) {
  if (subject.contract().strict()) return before;
  return before | (model_of(subject).set_of(key) & model_of(subject).all_backends());
}

/// Restores the defaults after earlier rows of the case.
inline void start_afresh(Session& subject) { subject.dispatch().zero_tls(); }

}  // namespace assay::suites
