// The syntax of litmus programs: the name and the arguments of each
// operation.
#pragma once

#include <span>
#include <string_view>

#include "harness/check/litmus.hpp"

namespace assay::litmus {

struct Word {
  std::string_view text;
  Verb verb;
  /// One letter per argument: s stream, t the stream of which it is another name, o event, gate or
  /// signal, x location, h host buffer, v value, d device number, which is optional.
  std::string_view arguments;
};

std::span<const Word> words();
const Word& word_of(Verb verb);

}  // namespace assay::litmus
