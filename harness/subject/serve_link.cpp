// Forwards commands to a link.
#include "harness/subject/serve_link.hpp"

#include <unistd.h>

#include <cstdio>

#include "harness/protocol/json.hpp"
#include "harness/subject/serve_loop.hpp"

namespace assay {
namespace {

std::string answer_of(Link& link, std::string_view line) {
  try {
    return to_json(link.exchange(command_from_json(line)));
  } catch (const MalformedMessage& failure) {
    Reply reply = Reply::make_invalid(failure.what());
    reply.id = failure.id();
    return to_json(reply);
  }
}

}  // namespace

int serve(Link& link) {
  try {
    return detail::take_over_output([&](int output) {
      return detail::serve_lines([&](std::string_view line) { return answer_of(link, line); },
                                 STDIN_FILENO, output);
    });
  } catch (const LinkBroken& broken) {
    std::fprintf(stderr, "%s\n", broken.what());
    return 1;
  }
}

}  // namespace assay
