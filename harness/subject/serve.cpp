// Serves a C++ subject over a pipe.
#include "harness/subject/serve.hpp"

#include <unistd.h>

#include "harness/subject/answer.hpp"
#include "harness/subject/serve_loop.hpp"

namespace assay {

int serve(Subject& subject, int input, int output) {
  Interpreter interpreter(subject);
  return detail::serve_lines([&](std::string_view line) { return answer(interpreter, line); },
                             input, output);
}

int serve(Subject& subject) {
  return detail::take_over_output([&](int output) { return serve(subject, STDIN_FILENO, output); });
}

}  // namespace assay
