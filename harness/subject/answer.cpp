// Answers a command given as text.
#include "harness/subject/answer.hpp"

#include "harness/protocol/json.hpp"

namespace assay {
namespace {

Reply reply_to(Interpreter& interpreter, std::string_view line) {
  try {
    return interpreter.execute(command_from_json(line));
  } catch (const MalformedMessage& failure) {
    Reply reply = Reply::make_invalid(failure.what());
    reply.id = failure.id();
    return reply;
  } catch (const std::exception& failure) {
    return Reply::make_invalid(std::string("cannot be read: ") + failure.what());
  }
}

}  // namespace

std::string answer(Interpreter& interpreter, std::string_view line) {
  try {
    return to_json(reply_to(interpreter, line));
  } catch (const std::exception&) {
    return R"({"error":{"kind":"internal","message":"the reply is too large for the memory"}})";
  }
}

}  // namespace assay
