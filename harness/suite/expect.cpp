// Implements the expectations of cases.
#include "harness/suite/expect.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <exception>
#include <utility>

#include "harness/check/compare.hpp"
#include "harness/suite/labels.hpp"
#include "harness/suite/session.hpp"

namespace assay {
namespace {

thread_local std::vector<std::string> labels;
thread_local std::string unwound_labels;
thread_local bool judges_words = true;

[[noreturn]] void fail(std::string what, std::string wanted, std::string got, Where where) {
  std::string sentence;
  for (const std::string& label : labels) sentence += label + ": ";
  throw CheckFailed(sentence + std::move(what), std::move(wanted), std::move(got), where);
}

void expect(const Value& got, const Value& wanted, const Tolerance& tolerance, Where where) {
  const auto difference = compare(got, wanted, tolerance);
  if (!difference) return;
  std::string what =
      difference->where.empty() ? "the values differ" : difference->where + " differs";
  fail(what + difference->distance, difference->wanted, difference->got, where);
}

std::string lower(std::string_view text) {
  std::string low(text);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return low;
}

/// The first token that the text does not contain, or null; null if words are not judged.
const std::string* missing_token(std::string_view text, const std::vector<std::string>& tokens) {
  if (!judges_words) return nullptr;
  const std::string low = lower(text);
  for (const std::string& token : tokens) {
    if (low.find(lower(token)) == std::string::npos) return &token;
  }
  return nullptr;
}

std::string kinds_in_words(const std::vector<ErrorKind>& kinds) {
  std::string text;
  for (const ErrorKind kind : kinds)
    text += (text.empty() ? "" : " or ") + std::string(name_of(kind));
  return text;
}

void check_error(const ErrorReply& error, const std::vector<ErrorKind>& kinds,
                 const std::vector<std::string>& tokens, Where where) {
  const std::string got = std::string(name_of(error.kind)) + ": " + error.message;
  const bool kind_fits = std::any_of(kinds.begin(), kinds.end(),
                                     [&](ErrorKind kind) { return satisfies(error.kind, kind); });
  if (!kind_fits) fail("an error of another kind", kinds_in_words(kinds), got, where);
  if (const std::string* token = missing_token(error.message, tokens)) {
    fail("the message lacks '" + *token + "'", "a message with '" + *token + "'", got, where);
  }
}

}  // namespace

CheckFailed::CheckFailed(std::string what, std::string expected, std::string got,
                         std::source_location where)
    : sentence_(std::move(what)),
      expected_(std::move(expected)),
      got_(std::move(got)),
      where_(where) {}

void expect_bits(const Value& got, const Value& wanted, Where where) {
  expect(got, wanted, {}, where);
}

void expect_exact_bits(const Value& got, const Value& wanted, Where where) {
  expect(got, wanted, {.nan_by_class = false, .ulp = 0}, where);
}

void expect_within_ulp(const Value& got, const Value& wanted, std::int64_t most, Where where) {
  expect(got, wanted, {.nan_by_class = true, .ulp = most}, where);
}

void expect_within(const TensorValue& got, const std::vector<double>& wanted,
                   const std::vector<double>& bound, std::string_view reason, Where where) {
  if (static_cast<std::size_t>(got.numel()) != wanted.size()) {
    fail("number of elements differs", std::to_string(wanted.size()), std::to_string(got.numel()),
         where);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double value = got.real_at(i);
    const bool both_nan = std::isnan(value) && std::isnan(wanted[i]);
    if (both_nan || value == wanted[i] || std::fabs(value - wanted[i]) <= bound[i]) continue;
    fail("element " + std::to_string(i) + " is out of the bound of " + std::string(reason),
         in_words(wanted[i]) + " within " + in_words(bound[i]), in_words(value), where);
  }
}

void expect_true(bool condition, std::string_view sentence, Where where) {
  if (!condition) fail("does not hold: " + std::string(sentence), "", "", where);
}

void expect_false(bool condition, std::string_view sentence, Where where) {
  expect_true(!condition, sentence, where);
}

void expect_equal(const Value& got, const Value& wanted, Where where) {
  expect(got, wanted, {.nan_by_class = false, .ulp = 0}, where);
}

void expect_equal(const std::vector<std::int64_t>& got, const std::vector<std::int64_t>& wanted,
                  Where where) {
  const auto as_list = [](const std::vector<std::int64_t>& numbers) {
    List list;
    for (const std::int64_t number : numbers) list.items.emplace_back(number);
    return Value(std::move(list));
  };
  expect_equal(as_list(got), as_list(wanted), where);
}

void expect_error(const std::function<void()>& action, ErrorKind kind,
                  const std::vector<std::string>& tokens, Where where) {
  expect_error(action, std::vector<ErrorKind>{kind}, tokens, where);
}

void expect_error(const std::function<void()>& action, const std::vector<ErrorKind>& kinds,
                  const std::vector<std::string>& tokens, Where where) {
  try {
    action();
  } catch (const SubjectError& raised) {
    take_unwound_labels();
    return check_error(raised.error(), kinds, tokens, where);
  }
  fail("no error was raised", kinds_in_words(kinds), "ok", where);
}

void expect_warning(const std::vector<Warning>& warnings, std::string_view category,
                    const std::vector<std::string>& tokens, Where where) {
  const auto fits = [&](const Warning& warning) {
    return warning.category == category && missing_token(warning.text, tokens) == nullptr;
  };
  const auto count = std::count_if(warnings.begin(), warnings.end(), fits);
  // Without words, warnings of one category cannot be told apart.
  if (count == 1 || (!judges_words && count > 1)) return;
  std::string got;
  for (const Warning& warning : warnings) got += warning.category + ": " + warning.text + "; ";
  std::string wanted = "one " + std::string(category);
  for (const std::string& token : tokens) wanted += " '" + token + "'";
  fail(std::to_string(count) + " such warnings", wanted, got.empty() ? "no warning" : got, where);
}

ScopedTrace::ScopedTrace(std::string label) { labels.push_back(std::move(label)); }
ScopedTrace::~ScopedTrace() {
  if (std::uncaught_exceptions() > 0) unwound_labels.insert(0, labels.back() + ": ");
  labels.pop_back();
}

WithoutWords::WithoutWords(bool wanted)
    : before_(std::exchange(judges_words, judges_words && !wanted)) {}
WithoutWords::~WithoutWords() { judges_words = before_; }

std::string take_unwound_labels() { return std::exchange(unwound_labels, {}); }

}  // namespace assay
