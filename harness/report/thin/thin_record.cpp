// Extracts cases in a single pass over the text.
#include "harness/report/thin/thin_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "harness/protocol/json_scan.hpp"
#include "harness/protocol/message.hpp"
#include "harness/report/record.hpp"
#include "harness/report/thin/thinning.hpp"

namespace assay::report {
namespace {

// Reads a case from a record's text without building a tree, because there are tens of thousands.

constexpr std::array<std::string_view, 8> kOutcomes{"pass",        "fail",   "crash", "timeout",
                                                    "unsupported", "waived", "flaky", "internal"};
/// Required members come first.
constexpr std::array<std::string_view, 19> kMembers{
    "id",       "contract", "outcome", "clauses", "seconds", "file",   "line",
    "excused",  "required", "lacks",   "excuse",  "failure", "replay", "program",
    "shortest", "was",      "changes", "reach",   "mistake"};
constexpr std::array<std::string_view, 4> kFarReaches{"state", "arguments", "width", "words"};
constexpr std::array<std::string_view, 5> kFailure{"sentence", "expected", "got", "where",
                                                   "last_words"};
constexpr std::array<std::string_view, 2> kExchange{"command", "reply"};

template <std::size_t kSize>
bool is_one_of(const std::array<std::string_view, kSize>& all, std::string_view text) {
  return std::ranges::find(all, text) != all.end();
}

/// `2.11/cuda/strict`, as the schema has it.
bool is_contract(std::string_view text) {
  const std::size_t rules = text.find('/');
  const std::size_t deviations = text.rfind('/');
  if (rules == deviations) return false;
  return release_named(text.substr(0, rules)) &&
         device_rules_named(text.substr(rules + 1, deviations - rules - 1)) &&
         deviations_named(text.substr(deviations + 1));
}

/// Invalid input is left to the reader that builds a tree.
[[noreturn]] void leave(std::string_view what) { JsonScanner::malformed(what); }

/// Appends a string in the form of the tree's writer.
void append_string(std::string& out, std::string_view text) {
  constexpr std::string_view kPlain = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
  out += '"';
  for (const char c : text) {
    if (const auto place = kPlain.find(c); place != std::string_view::npos) {
      out += '\\';
      out += kLetters[place];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

/// Appends the next value without white space.
void append_value(std::string& out, JsonScanner& scan) {
  bool is_first = true;
  const auto separate = [&] {
    if (!is_first) out += ',';
    is_first = false;
  };
  switch (scan.peek()) {
    case '{':
      out += '{';
      scan.object("a value", [&](std::string_view name) {
        separate();
        append_string(out, name);
        out += ':';
        append_value(out, scan);
      });
      out += '}';
      break;
    case '[':
      out += '[';
      scan.array("a value", [&] {
        separate();
        append_value(out, scan);
      });
      out += ']';
      break;
    case '"':
      append_string(out, scan.text("a value"));
      break;
    case 'n':
      scan.null();
      out += "null";
      break;
    case 't':
    case 'f':
      out += scan.boolean("a value") ? "true" : "false";
      break;
    default:
      out += fmt::format("{}", scan.integer("a value"));
  }
}

class Reader {
 public:
  explicit Reader(std::string_view text) : scan_(text) {}

  CaseRecord read() {
    constexpr std::size_t kRequired = 7;
    PlainMembers members(kMembers);
    scan_.object("a case", [&](std::string_view name) { member(members.take(name)); });
    scan_.end();
    if (!members.has_first(kRequired)) leave("a member is missing");
    // Without a failure, the other reader ignores them.
    if (!members.has("failure") &&
        (members.has("replay") || members.has("program") || members.has("shortest")))
      leave("no failure");
    return std::move(test_);
  }

 private:
  void member(std::size_t place) {
    switch (place) {
      case 0:
        test_.id = scan_.text("id");
        return require(!test_.id.empty());
      case 1:
        test_.contract = scan_.text("contract");
        return require(is_contract(test_.contract));
      case 2:
        test_.outcome = scan_.text("outcome");
        return require(is_one_of(kOutcomes, test_.outcome));
      case 3:
        return scan_.array("clauses", [&] { test_.clauses.emplace_back(scan_.text("a clause")); });
      case 4:
        return read_seconds();
      case 5:
        test_.file = scan_.text("file");
        return;
      case 6:
        return read_line();
      case 7:
        test_.excused = scan_.boolean("excused");
        return;
      case 8:
        test_.required = scan_.boolean("required");
        return;
      default:
        return rare_member(place);
    }
  }

  void rare_member(std::size_t place) {
    switch (place) {
      case 9:
        test_.lacks = scan_.text("lacks");
        return;
      case 10:
        test_.excuse = scan_.text("excuse");
        return;
      case 11:
        return read_failure();
      case 12:
        test_.replay = scan_.text("replay");
        return;
      case 13:
        return scan_.array("program", [&] { read_exchange(); });
      case 14:
        test_.shortest = scan_.text("shortest");
        return;
      case 15:
        test_.was = scan_.text("was");
        return require(is_one_of(kOutcomes, test_.was));
      case 16:
        test_.changes = scan_.text("changes");
        return;
      case 17:
        test_.reach = scan_.text("reach");
        return require(is_one_of(kFarReaches, test_.reach));
      case 18:
        test_.mistake = scan_.text("mistake");
        return;
      default:
        leave("an unknown member");
    }
  }

  void read_seconds() {
    test_.seconds =
        std::visit([](auto value) { return static_cast<double>(value); }, scan_.number());
    require(test_.seconds >= 0);
  }

  void read_line() {
    const std::int64_t line = scan_.integer("line");
    require(line >= 0 && line <= std::numeric_limits<std::uint32_t>::max());
    test_.line = static_cast<std::uint32_t>(line);
  }

  void read_failure() {
    const std::array<std::string*, kFailure.size()> texts{
        &test_.sentence, &test_.expected, &test_.got, &test_.where, &test_.last_words};
    PlainMembers members(kFailure);
    scan_.object("failure", [&](std::string_view name) {
      const std::size_t place = members.take(name);
      require(place < texts.size());
      *texts[place] = scan_.text("a text");
    });
    require(members.has_first(kFailure.size()));
  }

  void read_exchange() {
    auto& [command, reply] = test_.program.emplace_back();
    PlainMembers members(kExchange);
    scan_.object("an exchange", [&](std::string_view name) {
      const std::size_t place = members.take(name);
      require(place < kExchange.size());
      read_message(place == 0 ? command : reply);
    });
    require(members.has_first(kExchange.size()));
  }

  void read_message(std::string& message) {
    if (scan_.peek() == '{') return append_value(message, scan_);
    message = scan_.text("a message");
  }

  static void require(bool holds) {
    if (!holds) leave("it may break the schema");
  }

  JsonScanner scan_;
  CaseRecord test_;
};

/// Nothing if the text may violate the schema, or contains what is left to the other reader:
/// unknown members, and program numbers that are not integers.
std::optional<CaseRecord> plain_case(std::string_view text) {
  try {
    return Reader(text).read();
  } catch (const MalformedMessage&) {
    return std::nullopt;
  }
}

/// Copies the record without the cases.
class WithoutCases {
 public:
  explicit WithoutCases(std::string_view text) : walk_(text) {}

  ThinRecord thinned() {
    walk_.members([&](std::string_view name) {
      if (name != "subjects") return walk_.copy();
      walk_.items([&] {
        taken_.emplace_back();
        subject();
      });
    });
    walk_.scan.end();
    return {std::move(walk_.rest), std::move(taken_)};
  }

 private:
  void subject() {
    walk_.members([&](std::string_view name) {
      if (name != "cases") return walk_.copy();
      cases();
    });
  }

  void cases() {
    std::size_t place = 0;
    walk_.rest += '[';
    std::string_view separator;
    walk_.scan.array("cases", [&] {
      const std::string_view text = walk_.scan.skipped();
      if (std::optional<CaseRecord> test = plain_case(text)) {
        taken_.back().push_back({place, std::move(*test)});
      } else {
        walk_.rest += separator;
        walk_.rest += text;
        separator = ",";
      }
      ++place;
    });
    walk_.rest += ']';
  }

  Thinning walk_;
  std::vector<std::vector<TakenCase>> taken_;
};

}  // namespace

std::optional<ThinRecord> without_plain_cases(std::string_view text) {
  try {
    return WithoutCases(text).thinned();
  } catch (const MalformedMessage&) {
    return std::nullopt;
  }
}

void put_back(std::vector<TakenCase> taken, std::vector<CaseRecord>& cases) {
  std::vector<CaseRecord> all;
  all.reserve(taken.size() + cases.size());
  auto left = cases.begin();
  for (TakenCase& one : taken) {
    while (all.size() < one.place && left != cases.end()) all.push_back(std::move(*left++));
    all.push_back(std::move(one.test));
  }
  while (left != cases.end()) all.push_back(std::move(*left++));
  cases = std::move(all);
}

}  // namespace assay::report
