// Helpers for cases of schemas.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/clients/dispatch.hpp"
#include "harness/suite/expect.hpp"

namespace assay::suites {

/// A schema text, and its canonical printed form.
struct PrintRow {
  const char* text;
  const char* printed;
};

inline void expect_printed(Session& subject, const std::string& text, const std::string& printed,
                           Where where = Where::current()) {
  const ScopedTrace at{"'" + text + "'"};
  expect_equal(subject.dispatch().parse(text).text, printed, where);
}

/// `reason` has no final period; it is empty if the schemas match. 1.13 ends only messages about
/// argument counts with one.
inline void expect_difference(Session& subject, const std::string& declared,
                              const std::string& inferred, std::string reason) {
  const bool ends = subject.contract().release != Release::k1_13 ||
                    reason.find("number of arguments") != std::string::npos;
  if (ends && !reason.empty()) reason += '.';
  expect_equal(subject.dispatch().schema_difference(declared, inferred).value_or(""), reason);
}

/// An invalid schema text, and words of the error message.
struct RefusalRow {
  const char* text;
  std::vector<std::string> tokens;
};

inline void expect_refused(Session& subject, const std::string& text,
                           const std::vector<std::string>& tokens,
                           ErrorKind kind = ErrorKind::kSchema, Where where = Where::current()) {
  const ScopedTrace at{"'" + text + "'"};
  expect_error([&] { subject.dispatch().parse(text); }, kind, tokens, where);
}

inline void expect_refused_rows(Session& subject, const std::vector<RefusalRow>& rows) {
  for (const RefusalRow& row : rows) expect_refused(subject, row.text, row.tokens);
}

}  // namespace assay::suites
