// Calls the driver by function name.
#include "reference/runtime/driver_call.hpp"

#include <unordered_map>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

struct CallArguments {
  const std::vector<std::uint64_t>& given;

  std::uint64_t at(std::size_t i) const { return i < given.size() ? given[i] : 0; }
  int index() const { return static_cast<int>(static_cast<std::int64_t>(at(0))); }
};

using NamedCall = Code (*)(Driver&, const CallArguments&);

Code create_stream(Driver& driver, const CallArguments&) {
  StreamHandle made = 0;
  const Code code = driver.stream_create(made, true, 0);
  if (code == Code::kSuccess) driver.stream_destroy(made);
  return code;
}

Code create_event(Driver& driver, const CallArguments& arguments) {
  EventHandle made = 0;
  const Code code = driver.event_create(made, static_cast<unsigned>(arguments.at(0)));
  if (code == Code::kSuccess) driver.event_destroy(made);
  return code;
}

Code allocate(Driver& driver, const CallArguments& arguments) {
  Address made = 0;
  const Code code = driver.malloc(made, arguments.at(0));
  if (code == Code::kSuccess) driver.free(made);
  return code;
}

using CallsByName = std::unordered_map<std::string_view, NamedCall>;

void add_device_calls(CallsByName& calls) {
  calls["device_count"] = [](Driver& driver, const CallArguments&) {
    int count = 0;
    return driver.device_count(count);
  };
  calls["get_device"] = [](Driver& driver, const CallArguments&) {
    int index = 0;
    return driver.get_device(index);
  };
  calls["set_device"] = [](Driver& driver, const CallArguments& given) {
    return driver.set_device(given.index());
  };
  calls["device_sync"] = [](Driver& driver, const CallArguments&) { return driver.device_sync(); };
  calls["mem_info"] = [](Driver& driver, const CallArguments&) {
    std::uint64_t free = 0;
    std::uint64_t total = 0;
    return driver.mem_info(free, total);
  };
  calls["malloc"] = allocate;
  calls["free"] = [](Driver& driver, const CallArguments& given) {
    return driver.free(given.at(0));
  };
}

void add_stream_calls(CallsByName& calls) {
  calls["stream_create"] = create_stream;
  calls["priority_range"] = [](Driver& driver, const CallArguments&) {
    PriorityRange range;
    return driver.priority_range(range);
  };
  calls["stream_priority"] = [](Driver& driver, const CallArguments& given) {
    int priority = 0;
    return driver.stream_priority(given.at(0), priority);
  };
  calls["stream_query"] = [](Driver& driver, const CallArguments& given) {
    return driver.stream_query(given.at(0));
  };
  calls["stream_sync"] = [](Driver& driver, const CallArguments& given) {
    return driver.stream_sync(given.at(0));
  };
  calls["stream_wait"] = [](Driver& driver, const CallArguments& given) {
    return driver.stream_wait(given.at(0), given.at(1));
  };
  calls["capture_status"] = [](Driver& driver, const CallArguments& given) {
    CaptureStatus status = CaptureStatus::kNone;
    return driver.capture_status(given.at(0), status);
  };
  calls["launch"] = [](Driver& driver, const CallArguments& given) {
    return driver.launch(given.at(0), Work{.name = "kernel"});
  };
  calls["memcpy_async"] = [](Driver& driver, const CallArguments& given) {
    return driver.memcpy_async(given.at(0), Work{.name = "copy"});
  };
}

void add_event_calls(CallsByName& calls) {
  calls["event_create"] = create_event;
  calls["event_record"] = [](Driver& driver, const CallArguments& given) {
    return driver.event_record(given.at(0), given.at(1));
  };
  calls["event_query"] = [](Driver& driver, const CallArguments& given) {
    return driver.event_query(given.at(0));
  };
  calls["event_sync"] = [](Driver& driver, const CallArguments& given) {
    return driver.event_sync(given.at(0));
  };
  calls["event_elapsed"] = [](Driver& driver, const CallArguments& given) {
    float milliseconds = 0;
    return driver.event_elapsed(milliseconds, given.at(0), given.at(1));
  };
  calls["event_destroy"] = [](Driver& driver, const CallArguments& given) {
    return driver.event_destroy(given.at(0));
  };
  calls["ipc_get"] = [](Driver& driver, const CallArguments& given) {
    std::string bytes;
    return driver.ipc_get(given.at(0), bytes);
  };
  calls["ipc_open"] = [](Driver& driver, const CallArguments&) {
    EventHandle made = 0;
    return driver.ipc_open(made, std::string(64, '\0'));
  };
}

}  // namespace

Code call_driver(Runtime& runtime, std::string_view name,
                 const std::vector<std::uint64_t>& arguments) {
  static const CallsByName calls = [] {
    CallsByName made;
    add_device_calls(made);
    add_stream_calls(made);
    add_event_calls(made);
    return made;
  }();
  const auto found = calls.find(name);
  check(found != calls.end(), ErrorKind::kValue,
        [&] { return "the driver has no call '" + std::string(name) + "'"; });
  return found->second(driver_of(runtime), {arguments});
}

}  // namespace assay::reference
