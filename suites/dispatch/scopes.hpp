// Runs commands inside guards of thread-local keys.
#pragma once

#include <functional>

#include "harness/suite/clients/dispatch.hpp"
#include "harness/suite/expect.hpp"

namespace assay::suites {

using Program = std::function<void(DispatchClient)>;

/// The replies to the commands of `body`, sent inside the guards of `enter`, entered in order.
inline std::vector<Reply> within(Session& subject, const Program& enter, const Program& body) {
  const auto record = [&](const Program& program) {
    return subject.block([&](Session& inner) { program(inner.dispatch()); });
  };
  return subject.scope(record(enter), record(body));
}

inline TlsSets tls_from(const Reply& reply) {
  return {static_cast<KeyBits>(field_as<std::int64_t>(reply, "included")),
          static_cast<KeyBits>(field_as<std::int64_t>(reply, "excluded"))};
}

/// The thread's sets inside the guards.
inline TlsSets tls_within(Session& subject, const Program& enter) {
  return tls_from(within(subject, enter, [](DispatchClient d) { d.tls(); }).at(0));
}

inline void expect_bits_equal(KeyBits got, KeyBits wanted, Where where = Where::current()) {
  expect_equal(static_cast<std::int64_t>(got), static_cast<std::int64_t>(wanted), where);
}

}  // namespace assay::suites
