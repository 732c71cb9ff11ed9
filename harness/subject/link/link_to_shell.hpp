// Subjects that are a line of shell, for tests.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "harness/protocol/json.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/subject/toy_subject.hpp"

namespace assay {

inline std::unique_ptr<Link> shell(const std::string& script, ProcessOptions options = {}) {
  options.argv = {"/bin/sh", "-c", script};
  return connect_process(std::move(options));
}

inline Command numbered(std::int64_t id, Command made = command("hello")) {
  made.id = id;
  return made;
}

/// The LinkBroken that an exchange must throw.
inline LinkBroken break_of(Link& link, const Command& wanted = numbered(1)) {
  std::string reply;
  try {
    reply = to_json(link.exchange(wanted));
  } catch (const LinkBroken& broken) {
    return broken;
  }
  throw std::logic_error("the link should break, and a reply came: " + reply);
}

inline LinkBroken break_of(const std::string& script, ProcessOptions options = {}) {
  return break_of(*shell(script, std::move(options)));
}

}  // namespace assay
