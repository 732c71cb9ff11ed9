// How the cases fail on the planted faults: results/symptoms/*.txt.gz, compiled into the program.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The symptom of each case that fails on a fault, by the case's id.
struct FaultSymptoms {
  std::string fault;
  std::map<std::string, std::uint32_t, std::less<>> by_case;
};

/// The symptoms in this program of faults that are still planted, in the order of their names.
const std::vector<FaultSymptoms>& known_symptoms();

/// The text has a line `case ID` for each case, numbered from 0, and then a line
/// `fault NAME NUMBER:SYMPTOM …` for each fault, with symptoms in hexadecimal. Throws
/// std::runtime_error, with the number of the line, for any other.
std::vector<FaultSymptoms> symptoms_from(std::string_view text);

}  // namespace assay
