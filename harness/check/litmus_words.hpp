// The words of litmus programs: what each operation is called, and what stands between its
// brackets.
#pragma once

#include <span>
#include <string_view>

#include "harness/check/litmus.hpp"

namespace assay::litmus {

struct Word {
  std::string_view text;
  Verb verb;
  /// A letter an argument: s stream, t the stream that it is another name of, o event, gate or
  /// signal, x location, h host buffer, v value, d the number of a device, which may be left out.
  std::string_view arguments;
};

std::span<const Word> words();
const Word& word_of(Verb verb);

}  // namespace assay::litmus
