// Runs client callbacks.
#include "reference/subject/callback.hpp"

#include "reference/core/types/error.hpp"

namespace assay::reference {

Value call_back(Call& call, const std::string& callback, const std::vector<Value>& arguments,
                const Fields& named) {
  const Reply reply = call.host().call(callback, arguments, named);
  for (const auto& [category, text] : reply.warnings) call.runtime().warn(category, text);
  switch (reply.status) {
    case Reply::Status::kOk:
      break;
    case Reply::Status::kError:
      throw Error(static_cast<ErrorKind>(reply.error.kind), reply.error.message);
    case Reply::Status::kUnsupported:
      throw NotSupported(reply.reason);
    case Reply::Status::kInvalid:
      throw InvalidArgument(reply.reason);
  }
  const Value* result = reply.ok.find("result");
  return result == nullptr ? Value() : *result;
}

Value call_back_for_object(Call& call, const std::string& callback,
                           const std::vector<Value>& arguments) {
  struct Keeping {
    Keeping() { ++Call::kept_results(); }
    ~Keeping() {
      if (--Call::kept_results() == 0) Call::latest_result() = {};
    }
  } keeping;
  Value returned = call_back(call, callback, arguments);
  const Object made = Call::latest_result();
  const bool is_tensor = returned.tensor() != nullptr && made.is<TensorImpl>();
  return is_tensor ? call.lend(made) : returned;
}

}  // namespace assay::reference
