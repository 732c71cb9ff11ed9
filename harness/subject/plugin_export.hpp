// Turns a shared library with a C++ subject into a plugin, in one line:
// `ASSAY_EXPORT_SUBJECT([] { return std::make_unique<MySubject>(); })`.
// Link the library with the version script plugin.map, so that it exports nothing else.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "harness/subject/answer.hpp"
#include "harness/subject/plugin.h"

namespace assay::detail {

/// The object behind the pointer of assay_open. Runs one command at a time, for any threads.
class PluginSession {
 public:
  explicit PluginSession(std::unique_ptr<Subject> subject)
      : subject_(std::move(subject)), interpreter_(*subject_) {}

  const char* execute(std::string_view command, std::size_t* reply_bytes) {
    const std::scoped_lock lock(mutex_);
    std::string& reply = replies_[std::this_thread::get_id()];
    reply = answer(interpreter_, command);
    *reply_bytes = reply.size();
    return reply.c_str();
  }

 private:
  std::unique_ptr<Subject> subject_;
  Interpreter interpreter_;
  std::mutex mutex_;
  std::map<std::thread::id, std::string> replies_;
};

/// Null if `make` fails, because exceptions must not leave the library.
template <typename Make>
void* open_plugin(const Make& make) noexcept {
  try {
    return new PluginSession(make());
  } catch (...) {
    return nullptr;
  }
}

}  // namespace assay::detail

/// At namespace scope of one source file; `make` returns a `std::unique_ptr<assay::Subject>`.
#define ASSAY_EXPORT_SUBJECT(make)                                                     \
  extern "C" __attribute__((visibility("default"))) void* assay_open(void) {           \
    return ::assay::detail::open_plugin(make);                                         \
  }                                                                                    \
  extern "C" __attribute__((visibility("default"))) const char* assay_execute(         \
      void* session, const char* command, size_t command_bytes, size_t* reply_bytes) { \
    return static_cast<::assay::detail::PluginSession*>(session)->execute(             \
        {command, command_bytes}, reply_bytes);                                        \
  }                                                                                    \
  extern "C" __attribute__((visibility("default"))) void assay_close(void* session) {  \
    delete static_cast<::assay::detail::PluginSession*>(session);                      \
  }
