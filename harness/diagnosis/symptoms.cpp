// Reads the symptoms of planted faults.
#include "harness/diagnosis/symptoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <stdexcept>

#include "harness/program/text_file.hpp"
#include "harness/protocol/embedded.hpp"
#include "harness/suite/faults.hpp"

namespace assay {

/// `reference.txt.gz`, …
std::span<const EmbeddedFile> symptom_files();

namespace {

/// Takes the text up to `end` off `rest`.
std::string_view take_until(char end, std::string_view& rest) {
  const std::size_t at = std::min(rest.find(end), rest.size());
  const std::string_view word = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return word;
}

template <typename Number>
Number number_in(std::string_view word, int base) {
  Number number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  if (error != std::errc() || end != word.data() + word.size() || word.empty()) {
    throw std::runtime_error(fmt::format("'{}' is not a number of base {}", word, base));
  }
  return number;
}

class SymptomReader {
 public:
  void read_line(std::string_view line) {
    const std::string_view kind = take_until(' ', line);
    if (kind == "case") {
      cases_.emplace_back(line);
    } else if (kind == "fault") {
      faults_.push_back(fault_in(line));
    } else {
      throw std::runtime_error("a line begins with 'case' or with 'fault'");
    }
  }
  std::vector<FaultSymptoms> faults() && { return std::move(faults_); }

 private:
  FaultSymptoms fault_in(std::string_view line) const {
    FaultSymptoms fault;
    fault.fault = take_until(' ', line);
    while (!line.empty()) {
      std::string_view symptom = take_until(' ', line);
      const auto number = number_in<std::size_t>(take_until(':', symptom), 10);
      if (number >= cases_.size()) {
        throw std::runtime_error(fmt::format("there is no case {} above this line", number));
      }
      fault.by_case.emplace(cases_[number], number_in<std::uint32_t>(symptom, 16));
    }
    return fault;
  }

  std::vector<std::string> cases_;
  std::vector<FaultSymptoms> faults_;
};

std::vector<FaultSymptoms> read_all() {
  std::vector<FaultSymptoms> all;
  for (const EmbeddedFile& file : symptom_files()) {
    std::ranges::move(symptoms_from(unpacked(file.text)), std::back_inserter(all));
  }
  std::erase_if(all, [](const FaultSymptoms& each) { return find_fault(each.fault) == nullptr; });
  std::ranges::sort(all, {}, &FaultSymptoms::fault);
  return all;
}

}  // namespace

std::vector<FaultSymptoms> symptoms_from(std::string_view text) {
  SymptomReader reader;
  for (int line = 1; !text.empty(); ++line) {
    try {
      reader.read_line(take_until('\n', text));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(fmt::format("line {}: {}", line, error.what()));
    }
  }
  return std::move(reader).faults();
}

const std::vector<FaultSymptoms>& known_symptoms() {
  static const std::vector<FaultSymptoms> all = read_all();
  return all;
}

}  // namespace assay
