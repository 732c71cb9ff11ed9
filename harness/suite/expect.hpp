// What cases expect. Each of these throws CheckFailed at the first difference, with both sides in
// words.
#pragma once

#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay {

/// The end of a case that found a difference. The card of the failure is made from it.
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

/// Bit for bit; every NaN equals every NaN of its type. Of tensors: dtype, shape and elements; the
/// device too if `wanted` names one. A float that came as a number is compared as a double.
void expect_bits(const Value& got, const Value& wanted, Where where = Where::current());
/// NaN payloads and signs count as well.
void expect_exact_bits(const Value& got, const Value& wanted, Where where = Where::current());
/// At most `most` units in the last place of the element type between finite elements; the rest as
/// expect_bits.
void expect_within_ulp(const Value& got, const Value& wanted, std::int64_t most,
                       Where where = Where::current());

/// |got - wanted| <= bound[i] for each element, in double; `reason` says which rule made the bound.
void expect_within(const TensorValue& got, const std::vector<double>& wanted,
                   const std::vector<double>& bound, std::string_view reason,
                   Where where = Where::current());

/// In both the sentence says what must hold: `expect_false(same(x, y), "they are two objects")`.
void expect_true(bool condition, std::string_view sentence, Where where = Where::current());
void expect_false(bool condition, std::string_view sentence, Where where = Where::current());
/// For everything that is not numbers of a runtime: text, counts, dtypes, shapes.
void expect_equal(const Value& got, const Value& wanted, Where where = Where::current());
void expect_equal(const std::vector<std::int64_t>& got, const std::vector<std::int64_t>& wanted,
                  Where where = Where::current());

/// `action` must raise that kind (or a descendant), and the message must hold every token, whatever
/// its case.
void expect_error(const std::function<void()>& action, ErrorKind kind,
                  const std::vector<std::string>& tokens = {}, Where where = Where::current());
/// One of several kinds will do.
void expect_error(const std::function<void()>& action, const std::vector<ErrorKind>& kinds,
                  const std::vector<std::string>& tokens, Where where = Where::current());

/// Exactly one of `warnings` is of that category and holds every token.
void expect_warning(const std::vector<Warning>& warnings, std::string_view category,
                    const std::vector<std::string>& tokens, Where where = Where::current());

/// While it lives, failures say that they happened at `label`: a row of a table, a step of a loop.
class At {
 public:
  explicit At(std::string label);
  ~At();
  At(const At&) = delete;
  At& operator=(const At&) = delete;
};

}  // namespace assay
