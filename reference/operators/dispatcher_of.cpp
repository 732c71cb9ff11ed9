// Where a session keeps its dispatcher, and what is registered in it from the start.
#include "reference/dispatch/dispatcher_of.hpp"

#include <mutex>

#include "reference/amp/registration.hpp"
#include "reference/autocast/wrapper.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {
namespace {

struct SessionDispatcher {
  std::once_flag once;
  std::unique_ptr<Dispatcher> dispatcher;
};

}  // namespace

Dispatcher& dispatcher_of(Runtime& runtime) {
  auto& session = runtime.shared<SessionDispatcher>();
  std::call_once(session.once, [&] {
    session.dispatcher = std::make_unique<Dispatcher>(runtime);
    add_amp_operators(*session.dispatcher);
    add_operators(*session.dispatcher);
    add_autocast(*session.dispatcher);
  });
  return *session.dispatcher;
}

}  // namespace assay::reference
