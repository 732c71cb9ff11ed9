// Which references of two subjects mean the same object.
#pragma once

#include <map>
#include <set>
#include <string>

#include "harness/protocol/message.hpp"

namespace assay {

/// Pairs the names in the replies of two subjects to one program. A name that the client gave means
/// the same object on both sides. An object that was named inside a callback or a round outlives it
/// under a name of the subject's own: the client's name, a mark and a number (`product~19`,
/// `product#13`). So does an unnamed argument of a callback (`$0#5`, `lent#7`). Such a name belongs
/// to one object of the other side for as long as the program lasts.
class SameNames {
 public:
  /// Call for each command before its replies are compared, also for those of a block.
  void begin(const Command& command);
  /// True if the names may mean the same object, which they then mean from now on.
  bool match(const std::string& got, const std::string& wanted);
  /// `got` with the references of the other side in the places where they match.
  Value translated(const Value& got, const Value& wanted);

 private:
  bool may_match(const std::string& got, const std::string& wanted) const;
  bool is_being_named(const std::string& name) const;
  bool is_generated(const std::string& name) const;
  void note_blocks(const Command& command);
  void forget(const std::string& name);

  /// Names that the program binds inside callbacks and rounds; `$` if it has a callback.
  std::set<std::string> stems_;
  std::string as_;  ///< of the current command
  std::map<std::string, std::string> wanted_of_, got_of_;
};

}  // namespace assay
