// Records what a program has made.
#include "harness/program/draft.hpp"

#include <algorithm>

namespace assay {

Device Draft::device() {
  if (!contract_.cuda()) return {"cpu", -1};
  if (random_.one_in(40)) return {"cuda", 99};
  if (random_.one_in(4)) return {"cpu", -1};
  return {"cuda", static_cast<int>(random_.between(-1, devices_ - 1))};
}

void Draft::add(Command command) {
  open_->push_back(std::move(command));
  ++size_;
}

void Draft::add(std::string verb, Fields with, std::string as) {
  Command command;
  command.verb = std::move(verb);
  command.with = std::move(with);
  command.as = std::move(as);
  add(std::move(command));
}

std::string Draft::make(std::string verb, Fields with, Known made) {
  made.name = fresh(made.kind.substr(0, 1));
  add(std::move(verb), std::move(with), made.name);
  known_.push_back(made);
  return made.name;
}

const Known* Draft::any(std::string_view kind) {
  std::vector<const Known*> found;
  for (const Known& known : known_) {
    if (known.kind == kind) found.push_back(&known);
  }
  return found.empty() ? nullptr : random_.of(found);
}

std::size_t Draft::count(std::string_view kind) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(known_, [&](const Known& known) { return known.kind == kind; }));
}

bool Draft::knows(std::string_view kind, std::string_view text) const {
  return std::ranges::any_of(
      known_, [&](const Known& known) { return known.kind == kind && known.text == text; });
}

void Draft::forget(const std::string& name) {
  std::erase_if(known_, [&](const Known& known) { return known.name == name; });
}

std::string Draft::fresh(std::string_view prefix) {
  return std::string(prefix) + std::to_string(++names_);
}

Block Draft::block(const std::function<void()>& write, bool local) {
  Block made;
  Block* const outer = std::exchange(open_, &made);
  const std::size_t before = known_.size();
  ++depth_;
  write();
  --depth_;
  open_ = outer;
  if (local && known_.size() > before) known_.resize(before);
  return made;
}

}  // namespace assay
