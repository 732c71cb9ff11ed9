// Computes symptoms.
#include "harness/diagnosis/symptom.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace assay {
namespace {

constexpr std::uint32_t k24Bits = 0xffffff;

/// Tensors of two subjects are on different devices: `tensor float32 [1] on cpu 00000000`.
std::string without_devices(std::string text) {
  constexpr std::string_view kBefore = "] on ";
  for (std::size_t at = 0; (at = text.find(kBefore, at)) != std::string::npos;) {
    text.erase(at + 1, text.find(' ', at + kBefore.size()) - at - 1);
  }
  return text;
}

/// Of an error that was expected, only its kind: the message is the subject's.
std::string without_words(const Failure& failure) {
  const std::string& got = failure.got;
  if (failure.sentence.ends_with("an error of another kind")) return got.substr(0, got.find(": "));
  return failure.expected.starts_with("a message with ") ? "" : without_devices(got);
}

std::string text_of(Outcome outcome, const Failure& failure) {
  return fmt::format("{}\n{}\n{}\n{}", name_of(outcome), own_words(failure.sentence),
                     without_devices(failure.expected), without_words(failure));
}

}  // namespace

std::string own_words(const std::string& sentence) {
  constexpr std::string_view kRepeated = " runs passed; run ";
  constexpr std::string_view kFailed = ": fail: ";
  constexpr std::string_view kError = "expected no error, got ";
  std::string words = sentence;
  if (const std::size_t repeated = words.find(kRepeated); repeated != std::string::npos) {
    if (const std::size_t failed = words.find(kFailed, repeated); failed != std::string::npos) {
      words.erase(0, failed + kFailed.size());
    }
  }
  // `expected no error, got type: no tensor` ends after `type`.
  if (const std::size_t error = words.find(kError); error != std::string::npos) {
    words.erase(std::min(words.find(": ", error + kError.size()), words.size()));
  }
  return words;
}

std::uint32_t symptom_of(const CaseResult& failed) {
  if (failed.outcome != Outcome::kFail || !failed.failure) return kNoSymptom;
  if (!failed.changes.empty()) return kNoSymptom;  // the faults were measured without
  const std::string text = text_of(failed.outcome, *failed.failure);
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  return static_cast<std::uint32_t>(crc32_z(0, bytes, text.size())) & k24Bits;
}

}  // namespace assay
