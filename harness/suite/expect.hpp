// The expectations of cases. Each function throws CheckFailed at the first difference, with both
// values as text.
#pragma once

#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay {

/// Ends a case at a difference. The card of the failure is made from it.
class CheckFailed : public std::exception {
 public:
  CheckFailed(std::string what, std::string expected, std::string got, std::source_location where);
  const char* what() const noexcept override { return sentence_.c_str(); }
  const std::string& expected() const { return expected_; }
  const std::string& got() const { return got_; }
  const std::source_location& where() const { return where_; }

 private:
  std::string sentence_;
  std::string expected_;
  std::string got_;
  std::source_location where_;
};

using Where = std::source_location;

/// Bit for bit; all NaNs of a type are equal. Compares dtype, shape and elements of tensors, and
/// the device if `wanted` has one. A float sent as a number is compared as a double.
void expect_bits(const Value& got, const Value& wanted, Where where = Where::current());
/// The same, but NaN payloads and signs must match too.
void expect_exact_bits(const Value& got, const Value& wanted, Where where = Where::current());
/// Finite elements may differ by at most `most` units in the last place of their type; otherwise
/// like expect_bits.
void expect_within_ulp(const Value& got, const Value& wanted, std::int64_t most,
                       Where where = Where::current());

/// |got - wanted| <= bound[i] for each element, in double; `reason` names the rule of the bound.
void expect_within(const TensorValue& got, const std::vector<double>& wanted,
                   const std::vector<double>& bound, std::string_view reason,
                   Where where = Where::current());

/// The sentence states what must hold: `expect_false(same(x, y), "they are two objects")`.
void expect_true(bool condition, std::string_view sentence, Where where = Where::current());
void expect_false(bool condition, std::string_view sentence, Where where = Where::current());
/// For values other than a runtime's numbers: text, counts, dtypes, shapes.
void expect_equal(const Value& got, const Value& wanted, Where where = Where::current());
void expect_equal(const std::vector<std::int64_t>& got, const std::vector<std::int64_t>& wanted,
                  Where where = Where::current());

/// `action` must raise this kind of error or a derived one, and the message must contain all
/// tokens, ignoring case.
void expect_error(const std::function<void()>& action, ErrorKind kind,
                  const std::vector<std::string>& tokens = {}, Where where = Where::current());
/// One of several kinds is sufficient.
void expect_error(const std::function<void()>& action, const std::vector<ErrorKind>& kinds,
                  const std::vector<std::string>& tokens, Where where = Where::current());

/// Exactly one of `warnings` has this category and contains all tokens.
void expect_warning(const std::vector<Warning>& warnings, std::string_view category,
                    const std::vector<std::string>& tokens, Where where = Where::current());

/// While it exists, failures include `label`: a row of a table, a step of a loop.
class ScopedTrace {
 public:
  explicit ScopedTrace(std::string label);
  ~ScopedTrace();
  ScopedTrace(const ScopedTrace&) = delete;
  ScopedTrace& operator=(const ScopedTrace&) = delete;
};

}  // namespace assay
