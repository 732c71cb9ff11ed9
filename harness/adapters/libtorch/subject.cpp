// Calls the command's function, and builds the reply.
#include "harness/adapters/libtorch/subject.hpp"

#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/errors.hpp"
#include "harness/adapters/libtorch/warnings.hpp"

namespace assay::libtorch {
namespace {

class LibtorchSubject final : public Subject {
 public:
  Reply execute(const Command& command, Host& host) override {
    const Handler handler = command_table().find(command.verb);
    if (handler == nullptr) return Reply::make_unsupported(command_table().missing(command.verb));
    catch_warnings();
    const std::size_t warned = warnings_given();
    Reply reply = answer(command, host, handler);
    reply.warnings = take_warnings(warned);
    return reply;
  }

 private:
  Reply answer(const Command& command, Host& host, Handler handler) {
    Call call(names_, host, command);
    try {
      handler(call);
      return call.finish();
    } catch (...) {
      return reply_to_current_exception();
    }
  }

  Names names_;
};

}  // namespace

std::unique_ptr<Subject> make_subject() { return std::make_unique<LibtorchSubject>(); }

}  // namespace assay::libtorch
