// What the runner sets and asks of the expectations: where a case was when an exception left it,
// and whether words are judged.
#pragma once

#include <string>

namespace assay {

/// `row 3: step 2: `, outermost first; empty if there were none. Clears the labels of the calling
/// thread.
std::string take_unwound_labels();

/// While it exists, the expectations of this thread judge kinds and categories, and no words of
/// errors and warnings.
class WithoutWords {
 public:
  /// Does nothing unless `wanted`.
  explicit WithoutWords(bool wanted);
  ~WithoutWords();
  WithoutWords(const WithoutWords&) = delete;
  WithoutWords& operator=(const WithoutWords&) = delete;

 private:
  bool before_;
};

}  // namespace assay
