// Changes programs.
#include "harness/perturb/changes.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "harness/perturb/rewrite.hpp"
#include "harness/protocol/schema.hpp"

namespace assay {
namespace {

constexpr std::string_view kCopy = "-copy";
/// The thread of the copy. The threads that a program names are called otherwise in its copy.
constexpr std::string_view kThread = "copy";
/// In the names that subjects make, with numbers of their own.
constexpr std::string_view kMarks = "~#";

/// Calls `visit` for each command, at any depth.
template <typename Visit>
void each_command(const Command& command, const Visit& visit) {
  visit(command);
  for (const Block* block : {&command.enter, &command.body, &command.observe}) {
    for (const Command& inner : *block) each_command(inner, visit);
  }
  for (const auto& [thread, block] : command.threads) {
    for (const Command& inner : block) each_command(inner, visit);
  }
}

template <typename Visit>
void each_command(const std::vector<Exchange>& program, const Visit& visit) {
  for (const Exchange& exchange : program) each_command(exchange.command, visit);
}

bool refers_to_generated_names(const Command& command) {
  bool found = false;
  Rewrite look;
  look.name = [&](const std::string& name) {
    found = found || name.find_first_of(kMarks) != std::string::npos;
    return name;
  };
  rewritten(command, look);
  return found;
}

/// Whether results of the command may require gradients, or it asks for the mode.
bool minds_gradients(const Command& command) {
  static const std::set<std::string_view> kVerbs{"core.backward", "core.grad", "core.set_grad",
                                                 "core.requires_grad_"};
  const std::string_view verb = command.verb;
  return command.with.has("requires_grad") || kVerbs.contains(verb) ||
         verb.starts_with("autograd.") || verb.starts_with("module.") ||
         verb.starts_with("dispatch.");
}

/// What decides which changes a program bears.
struct Nature {
  Touches touches = Touches::kObjects;
  bool is_repeatable = true;
  bool minds_device = false;
  bool minds_thread = false;
  bool minds_gradients = false;
};

Nature nature_of(const std::vector<Exchange>& program) {
  Nature nature;
  each_command(program, [&](const Command& command) {
    nature.touches = std::max(nature.touches, touches_of(command.verb));
    // What threads do at the same time may end in several ways.
    const bool is_fixed = command.verb != "reset" && command.threads.empty();
    nature.is_repeatable = nature.is_repeatable && is_fixed && !refers_to_generated_names(command);
    nature.minds_device = nature.minds_device || minds(command.verb, "device");
    nature.minds_thread = nature.minds_thread || minds(command.verb, "thread");
    nature.minds_gradients = nature.minds_gradients || minds_gradients(command);
  });
  return nature;
}

/// The first two devices change places.
struct Swap {
  Device first, second;

  Device operator()(const Device& device) const {
    // A tensor that names no device is on the first.
    if (device.type.empty() || device == first) return second;
    return device == second ? first : device;
  }
};

std::optional<Swap> swap_for(const SubjectInfo& info) {
  if (!info.contract.cuda()) return std::nullopt;
  std::vector<Device> own;
  for (const Device& device : info.devices) {
    if (device.type != "cpu" && device.index >= 0) own.push_back(device);
  }
  if (own.size() < 2) return std::nullopt;
  return Swap{own[0], own[1]};
}

bool offers(const SubjectInfo& info, std::string_view area) {
  return std::ranges::find(info.areas, area) != info.areas.end();
}

Command command_of(std::string verb, Fields with) {
  Command command;
  command.verb = std::move(verb);
  command.with = std::move(with);
  return command;
}

void put_inside(Command block, Step& step) {
  step.command.id.reset();
  block.body.push_back(std::move(step.command));
  step.command = std::move(block);
  ++step.depth;
}

void put_on_thread(std::string_view thread, Step& step) {
  put_inside(command_of("on", {{"thread", std::string(thread)}}), step);
}

/// Where no device is named, commands that move something leave it where it is, others on objects
/// use the first device, and all others the current one.
void name_the_device(Command& command, const Device& device) {
  const bool moves = command.verb == "core.to" || command.verb == "module.to";
  const bool uses_first = !moves && touches_of(command.verb) == Touches::kObjects;
  if (uses_first && may_name_device(command.verb) && !command.with.has("device")) {
    command.with.set("device", device);
  }
  for (Block* block : {&command.enter, &command.body, &command.observe}) {
    for (Command& inner : *block) name_the_device(inner, device);
  }
}

class Copy {
 public:
  Copy(const std::vector<Exchange>& program, const Changes& changes, const SubjectInfo& info)
      : changes_(changes) {
    each_command(program, [this](const Command& command) { collect(command); });
    rewrite_.name = [this](const std::string& name) { return name_in_copy(name); };
    if (!changes.device) return;
    swap_ = swap_for(info);
    rewrite_.device = *swap_;
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  /// Makes the other device the current one of every thread.
  std::vector<Step> beginning() const {
    std::vector<Step> steps;
    if (!swap_) return steps;
    const auto add = [&] {
      steps.push_back(
          {command_of("core.set_device", {{"device", swap_->second}}), Reply::make_ok(), true, 0});
    };
    add();
    if (changes_.thread) put_on_thread(kThread, steps.back());
    for (const std::string& thread : threads_) {
      add();
      put_on_thread(name_in_copy(thread), steps.back());
    }
    return steps;
  }

  Step of(const Exchange& exchange) const {
    Step step{rewritten(exchange.command, rewrite_), rewritten(exchange.reply, rewrite_), true, 0};
    if (swap_) name_the_device(step.command, swap_->second);
    // What is said only the first time is said to the program itself.
    if (changes_.beside) drop_warnings(step.wanted);
    if (changes_.no_grad) {
      Command scope = command_of("scope", {});
      scope.enter.push_back(command_of("autograd.grad_mode", {{"value", false}}));
      put_inside(std::move(scope), step);
    }
    if (changes_.thread) put_on_thread(kThread, step);
    return step;
  }

 private:
  void collect(const Command& command) {
    if (!command.as.empty()) names_.insert(command.as);
    if (command.verb != "on") return;
    const Value* thread = command.with.find("thread");
    const auto* name = thread == nullptr ? nullptr : thread->get_if<std::string>();
    if (name == nullptr) return;
    names_.insert(*name);
    threads_.insert(*name);
  }

  /// `opt.state` is a part of `opt`. What the program does not name keeps its name.
  std::string name_in_copy(const std::string& name) const {
    const std::size_t end = std::min(name.find('.'), name.size());
    const std::string stem = name.substr(0, end);
    return names_.contains(stem) ? stem + std::string(kCopy) + name.substr(end) : name;
  }

  Changes changes_;
  std::set<std::string> names_;
  std::set<std::string> threads_;
  std::optional<Swap> swap_;
  Rewrite rewrite_;
};

struct Kind {
  bool Changes::*member;
  const char* name;
  const char* words;
};
constexpr Kind kKinds[] = {{&Changes::beside, "beside", "beside a copy of itself"},
                           {&Changes::thread, "thread", "on another thread"},
                           {&Changes::device, "device", "on another device"},
                           {&Changes::no_grad, "no_grad", "with gradients off"}};

std::string joined(const Changes& changes, const char* Kind::*text, const char* separator) {
  std::string words;
  for (const Kind& kind : kKinds) {
    if (!(changes.*kind.member)) continue;
    if (!words.empty()) words += separator;
    words += kind.*text;
  }
  return words;
}

}  // namespace

std::string in_words(const Changes& changes) { return joined(changes, &Kind::words, ", "); }
std::string names_of(const Changes& changes) { return joined(changes, &Kind::name, " "); }

bool is_repeatable(const std::vector<Exchange>& program) {
  return nature_of(program).is_repeatable;
}

bool mentions(const std::vector<Exchange>& program, std::string_view verb) {
  bool found = false;
  each_command(program, [&](const Command& command) { found = found || command.verb == verb; });
  return found;
}

bool has_one_that_minds(const std::vector<Exchange>& program, std::string_view what) {
  bool found = false;
  each_command(program,
               [&](const Command& command) { found = found || minds(command.verb, what); });
  return found;
}

Changes borne_by(const std::vector<Exchange>& program, const SubjectInfo& info) {
  const Nature nature = nature_of(program);
  if (!nature.is_repeatable) return {};
  Changes changes;
  changes.thread = info.threads && !nature.minds_thread;
  changes.beside =
      nature.touches == Touches::kObjects || (nature.touches == Touches::kThread && changes.thread);
  // On one thread, the program itself would notice another current device.
  changes.device = swap_for(info) && offers(info, "core") && !nature.minds_device &&
                   (changes.thread || !changes.beside);
  changes.no_grad = offers(info, "autograd") && !nature.minds_gradients;
  return changes;
}

std::vector<Changes> each_of(const Changes& changes, const std::vector<Exchange>& program) {
  std::vector<Changes> found;
  for (const Kind& kind : kKinds) {
    if (!(changes.*kind.member)) continue;
    Changes one;
    one.*kind.member = true;
    if (one.beside && nature_of(program).touches == Touches::kThread) one.thread = true;
    found.push_back(one);
  }
  return found;
}

std::vector<Step> changed(const std::vector<Exchange>& program, const Changes& changes,
                          const SubjectInfo& info) {
  const Copy copy(program, changes, info);
  std::vector<Step> steps = copy.beginning();
  for (const Exchange& exchange : program) {
    if (changes.beside) steps.push_back({exchange.command, exchange.reply, false, 0});
    steps.push_back(copy.of(exchange));
  }
  return steps;
}

}  // namespace assay
