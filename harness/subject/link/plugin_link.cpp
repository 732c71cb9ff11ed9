// The plugin transport: calls a shared library in this process with JSON text.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cfenv>

#include "harness/protocol/json.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/subject/process/owned_fd.hpp"

namespace assay {
namespace {

using Open = void* (*)();
using Execute = const char* (*)(void*, const char*, std::size_t, std::size_t*);
using Close = void (*)(void*);

constexpr std::size_t kMostReplyBytes = std::size_t{8} << 20;

/// The current directory, on which the paths of journal and records depend. A library may change
/// it.
class CurrentFolder {
 public:
  CurrentFolder() : folder_(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  void enter() const { [[maybe_unused]] const int failed = ::fchdir(folder_.get()); }

 private:
  OwnedFd folder_;
};

/// The state of this process during a call of the library, and this program's own state after it.
/// Code built with `-ffast-math` changes the arithmetic of the thread that loads it; with its mode,
/// other subjects would be computed and judged wrongly.
class Visit {
 public:
  Visit(std::fenv_t& its_arithmetic, const CurrentFolder& folder)
      : its_arithmetic_(its_arithmetic), folder_(folder) {
    std::fegetenv(&ours_);
    std::fesetenv(&its_arithmetic_);
  }
  ~Visit() {
    if (::getpid() != process_) ::_exit(1);  // the library has forked
    std::fegetenv(&its_arithmetic_);
    std::fesetenv(&ours_);
    folder_.enter();
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  pid_t process_ = ::getpid();
  std::fenv_t ours_{};
  std::fenv_t& its_arithmetic_;
  const CurrentFolder& folder_;
};

class PluginLink final : public Link {
 public:
  /// A name without a slash is a file in the current directory, not in the system's library path.
  explicit PluginLink(const std::string& path)
      : path_(path.find('/') == std::string::npos ? "./" + path : path) {
    open();
  }
  /// The library stays loaded until the process ends, because its threads may still run.
  ~PluginLink() override { end_session(); }

  Reply exchange(const Command& command) override {
    if (session_ == nullptr) {
      throw LinkBroken(LinkBroken::Cause::kDied, "the plugin is closed: restart the link");
    }
    const std::string text = to_json(command);
    std::size_t reply_bytes = 0;
    const char* reply = execute(text, &reply_bytes);
    try {
      if (reply == nullptr) throw MalformedMessage("a null reply");
      if (reply_bytes > kMostReplyBytes) {
        throw MalformedMessage("a reply of " + std::to_string(reply_bytes) + " bytes");
      }
      return checked_reply({reply, reply_bytes}, command);
    } catch (const MalformedMessage& failure) {
      const std::string what = "'" + path_ + "' answered out of protocol: " + failure.what();
      close();
      throw LinkBroken(LinkBroken::Cause::kGarbled, what);
    }
  }

  void restart() override {
    close();
    open();
  }

 private:
  [[noreturn]] void cannot(const std::string& what) {
    close();
    throw LinkBroken(LinkBroken::Cause::kDied, what);
  }

  template <typename Function>
  Function symbol(const char* name) {
    void* found = ::dlsym(library_, name);
    if (found == nullptr) cannot("'" + path_ + "' does not export " + name);
    return reinterpret_cast<Function>(found);
  }

  Visit visit() { return Visit(arithmetic_, folder_); }

  void* load() {
    const Visit visit = this->visit();
    return ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  }

  const char* execute(const std::string& command, std::size_t* reply_bytes) {
    const Visit visit = this->visit();
    return execute_(session_, command.data(), command.size(), reply_bytes);
  }

  void* begin(Open open_session) {
    const Visit visit = this->visit();
    return open_session();
  }

  void open() {
    library_ = load();
    if (library_ == nullptr) cannot(std::string("cannot load the plugin: ") + ::dlerror());
    const auto open_session = symbol<Open>("assay_open");
    execute_ = symbol<Execute>("assay_execute");
    close_ = symbol<Close>("assay_close");
    session_ = begin(open_session);
    if (session_ == nullptr) cannot("'" + path_ + "' could not open a session");
  }

  void close() {
    end_session();
    const Visit visit = this->visit();
    if (library_ != nullptr) ::dlclose(library_);
    library_ = nullptr;
  }

  void end_session() {
    const Visit visit = this->visit();
    if (session_ != nullptr) close_(session_);
    session_ = nullptr;
  }

  static std::fenv_t current_arithmetic() {
    std::fenv_t now{};
    std::fegetenv(&now);
    return now;
  }

  CurrentFolder folder_;
  std::fenv_t arithmetic_ = current_arithmetic();  ///< of the library
  std::string path_;
  void* library_ = nullptr;
  void* session_ = nullptr;
  Execute execute_ = nullptr;
  Close close_ = nullptr;
};

}  // namespace

std::unique_ptr<Link> connect_plugin(const std::string& path) {
  return std::make_unique<PluginLink>(path);
}

}  // namespace assay
