// Reads records for the archive.
#include "harness/archive/entry.hpp"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

#include "harness/archive/sha256.hpp"
#include "harness/program/text_file.hpp"
#include "harness/protocol/utf8.hpp"
#include "harness/text/neutral.hpp"

namespace assay::archive {
namespace {

/// The value of `"schema"` at the beginning of a record.
std::string schema_in(std::string_view text) {
  constexpr std::string_view kMember = R"({"schema":")";
  if (!text.starts_with(kMember)) return {};
  text.remove_prefix(kMember.size());
  return std::string(text.substr(0, text.find('"')));
}

/// Splits JSON texts at their outermost ends, without reading them: the readers of records do.
class Splitter {
 public:
  std::vector<std::string> texts(std::string_view bytes) {
    for (const char c : bytes) {
      if (in_string_) {
        text_ += c;
        in_string_ = is_escaped_ || c != '"';
        is_escaped_ = !is_escaped_ && c == '\\';
      } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
        outside_string(c);
      }
    }
    if (!text_.empty()) throw std::runtime_error("the text ends inside of a record");
    return std::move(texts_);
  }

 private:
  void outside_string(char c) {
    text_ += c;
    in_string_ = c == '"';
    if (c == '{' || c == '[') ++depth_;
    if (c == '}' || c == ']') --depth_;
    if (depth_ > 0) return;
    if (depth_ < 0 || c != '}') throw std::runtime_error("it is no JSON object");
    texts_.push_back(std::move(text_));
    text_.clear();
  }

  std::vector<std::string> texts_;
  std::string text_;
  int depth_ = 0;
  bool in_string_ = false, is_escaped_ = false;
};

}  // namespace

std::vector<std::string> texts_in(std::string_view bytes) {
  if (is_packed(bytes)) return Splitter().texts(unpacked(bytes));
  return Splitter().texts(bytes);
}

std::string hash_of(std::string_view text) {
  return sha256_of(data_without_ci_commands(data_for_terminal(text, DataFormat::kJson)));
}

Entry entry_of(std::string text, const std::string& file, const Labels& labels) {
  Entry entry;
  const std::string schema = schema_in(text);
  if (schema.starts_with("assay.run/")) {
    entry.run = report::run_from_json(text);
  } else if (schema.starts_with("assay.bench/")) {
    entry.bench = report::bench_from_json(text);
  } else if (schema.empty()) {
    throw std::runtime_error("it has no member \"schema\" at its beginning, which records have");
  } else {
    throw std::runtime_error(fmt::format(
        "its schema is '{}'; the archive keeps records of runs and benches", printable(schema)));
  }
  entry.hash = hash_of(text);
  entry.file = file;
  entry.packed = packed_for(".gz", text, 1);
  entry.text = std::move(text);
  entry.labels = labels;
  return entry;
}

}  // namespace assay::archive
