// Reading the answer to hello.
#include "harness/suite/hello.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/protocol/utf8.hpp"
#include "harness/subject/first_reply.hpp"

namespace assay {
namespace {

std::string text_of(const Reply& reply, std::string_view name) {
  const Value* value = reply.ok.find(name);
  if (value == nullptr) throw BadReply(fmt::format("hello: the reply lacks '{}'", name));
  if (const auto* text = value->get_if<std::string>()) return *text;
  throw BadReply(
      fmt::format("hello: '{}' must be a string, but is of kind {}", name, kind_of(*value)));
}

std::vector<Value> items_of(const Reply& reply, std::string_view name) {
  const Value* value = reply.ok.find(name);
  if (value == nullptr) throw BadReply(fmt::format("hello: the reply lacks '{}'", name));
  if (const auto* list = value->get_if<List>()) return list->items;
  throw BadReply(
      fmt::format("hello: '{}' must be a list, but is of kind {}", name, kind_of(*value)));
}

template <typename Member>
Member member(const Reply& reply, std::string_view name, Member fallback,
              std::optional<Member> (*named)(std::string_view)) {
  if (!reply.ok.has(name)) return fallback;
  const std::string text = text_of(reply, name);
  if (const auto value = named(text)) return *value;
  throw BadReply(
      fmt::format("hello: '{}' is '{}', which is none of its values", name, printable(text)));
}

void check_protocol(const Reply& reply) {
  const Value* value = reply.ok.find("protocol");
  const auto* number = value == nullptr ? nullptr : value->get_if<std::int64_t>();
  if (number == nullptr) throw BadReply("hello: the reply lacks 'protocol', an integer");
  if (*number == kProtocolVersion) return;
  throw BadReply(fmt::format("hello: the subject speaks protocol {}, this program speaks {}",
                             *number, kProtocolVersion));
}

Contract contract_of(const Reply& reply, const Contract& wanted) {
  return {member(reply, "release", wanted.release, &release_named),
          member(reply, "device_rules", wanted.device_rules, &device_rules_named),
          member(reply, "deviations", wanted.deviations, &deviations_named)};
}

SubjectInfo info_of(const Reply& reply, const Contract& wanted) {
  SubjectInfo info;
  info.name = text_of(reply, "name");
  info.version = text_of(reply, "version");
  for (const Value& item : items_of(reply, "devices")) {
    const auto* device = item.get_if<Device>();
    if (device == nullptr) throw BadReply("hello: 'devices' must be a list of devices");
    info.devices.push_back(*device);
  }
  for (const Value& item : items_of(reply, "areas")) {
    const auto* area = item.get_if<std::string>();
    if (area == nullptr) throw BadReply("hello: 'areas' must be a list of strings");
    info.areas.push_back(*area);
  }
  const Value* threads = reply.ok.find("threads");
  info.threads = threads != nullptr && threads->is<bool>() && *threads->get_if<bool>();
  info.contract = contract_of(reply, wanted);
  return info;
}

[[noreturn]] void give_up(const Link& link, const LinkBroken& failure) {
  const std::string why = fmt::format("it broke {} times in a row before its first reply: {}",
                                      kMostDeaths, failure.what());
  if (never_answered(link)) throw SubjectNotStarted(why, failure.last_words());
  throw SubjectLost(why, failure.last_words());
}

}  // namespace

SubjectInfo say_hello(Link& link, const Contract& wanted) {
  Command hello;
  hello.id = 0;
  hello.verb = "hello";
  hello.with = {{"release", name_of(wanted.release)},
                {"device_rules", name_of(wanted.device_rules)},
                {"deviations", name_of(wanted.deviations)}};
  const Reply reply = link.exchange(hello);
  if (!reply.succeeded()) {
    throw BadReply("hello: expected ok, got " + printable(reply.reason.empty()
                                                              ? "error: " + reply.error.message
                                                              : reply.reason));
  }
  check_protocol(reply);
  return info_of(reply, wanted);
}

SubjectInfo greet(Link& link, const Contract& wanted, bool broken) {
  for (int attempt = 1;; ++attempt) {
    try {
      if (broken) link.restart();
      return say_hello(link, wanted);
    } catch (const LinkBroken& failure) {
      if (attempt == kMostDeaths) give_up(link, failure);
      broken = true;
    }
  }
}

std::vector<Contract> offered_contracts(Link& link, const std::vector<Contract>& wanted) {
  std::vector<Contract> offered;
  for (const Contract& contract : wanted) {
    const Contract answer = greet(link, contract).contract;
    if (std::find(offered.begin(), offered.end(), answer) == offered.end()) {
      offered.push_back(answer);
    }
  }
  return offered;
}

}  // namespace assay
