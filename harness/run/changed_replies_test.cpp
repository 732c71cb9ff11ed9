// Tests that no reply can crash a case: every case runs on the reference, or on the subject of
// ASSAY_CHANGED_SUBJECT, with one reply changed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>

#include "harness/subjects/connect.hpp"
#include "harness/suite/runner/runner.hpp"

namespace assay {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) { return random() % end; }

Value of_another_kind(Random& random) {
  const std::vector<Value> values{None{},
                                  true,
                                  -1,
                                  std::int64_t{1} << 62,
                                  0.5,
                                  "",
                                  "cpu",
                                  Dtype::kFloat16,
                                  Device{"cuda", 7},
                                  Ref{"nobody"},
                                  List{},
                                  List{{Value(None{}), Value("x")}},
                                  Dict{},
                                  Tuple{},
                                  Opaque{"thing"},
                                  TensorValue{}};
  return values[below(random, values.size())];
}

Value changed(const Value& value, Random& random);

Value changed_tensor(TensorValue tensor, Random& random) {
  switch (below(random, 4)) {
    case 0:
      tensor.dtype = tensor.dtype == Dtype::kFloat64 ? Dtype::kInt64 : Dtype::kFloat64;
      tensor.data.assign(static_cast<std::size_t>(tensor.numel()) * 8, 1);
      break;
    case 1:
      tensor.device = Device{tensor.device.type == "cpu" ? "cuda" : "cpu", 1};
      break;
    case 2:
      tensor.shape = {0};
      tensor.strides.clear();
      tensor.data.clear();
      break;
    default:
      if (!tensor.data.empty()) tensor.data[below(random, tensor.data.size())] ^= 0x15;
  }
  return tensor;
}

template <typename Holder>
Value changed_items(Holder holder, Random& random) {
  auto& items = holder.items;
  if (items.empty()) return of_another_kind(random);
  const std::size_t at = below(random, items.size());
  switch (below(random, 4)) {
    case 0:
      items.clear();
      break;
    case 1:
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    default:
      if constexpr (requires { items[at].second; }) {
        items[at].second = changed(items[at].second, random);
      } else {
        items[at] = changed(items[at], random);
      }
  }
  return holder;
}

Value changed(const Value& value, Random& random) {
  if (below(random, 4) == 0) return of_another_kind(random);
  if (const TensorValue* tensor = value.tensor()) return changed_tensor(*tensor, random);
  if (const auto* list = value.get_if<List>()) return changed_items(*list, random);
  if (const auto* tuple = value.get_if<Tuple>()) return changed_items(*tuple, random);
  if (const auto* dict = value.get_if<Dict>()) return changed_items(*dict, random);
  if (const auto* text = value.get_if<std::string>()) return *text + "?";
  if (const auto* number = value.get_if<std::int64_t>()) return *number - 1;
  if (const auto* truth = value.get_if<bool>()) return !*truth;
  if (const auto* real = value.get_if<double>()) return -*real;
  return of_another_kind(random);
}

/// Removes or changes a field; in a block's reply, a field inside it.
void change(Reply& reply, Random& random) {
  if (!reply.replies.empty() && below(random, 4) != 0) {
    return change(reply.replies[below(random, reply.replies.size())], random);
  }
  if (reply.ok.empty()) {
    reply.ok.set("result", of_another_kind(random));
    return;
  }
  const std::size_t chosen = below(random, reply.ok.size());
  const bool is_left_out = below(random, 6) == 0;
  Fields fields;
  std::size_t at = 0;
  for (const auto& [name, value] : reply.ok) {
    if (at++ != chosen)
      fields.set(name, value);
    else if (!is_left_out)
      fields.set(name, changed(value, random));
  }
  reply.ok = std::move(fields);
}

/// Forwards everything, but changes the reply to the n-th command other than `hello` and
/// `reset`.
class ChangedLink final : public Link {
 public:
  explicit ChangedLink(Link& whole) : whole_(whole) {}

  void change_reply(std::size_t number, std::uint64_t seed) {
    left_ = number + 1;
    seen_ = 0;
    random_.seed(seed);
  }
  void change_none() { left_ = 0, seen_ = 0; }
  std::size_t seen() const { return seen_; }

  Reply exchange(const Command& command) override {
    Reply reply = whole_.exchange(command);
    if (command.verb == "hello" || command.verb == "reset") return reply;
    ++seen_;
    if (left_ > 0 && --left_ == 0 && reply.succeeded()) change(reply, random_);
    return reply;
  }
  void restart() override { whole_.restart(); }

 private:
  Link& whole_;
  Random random_;
  std::size_t left_ = 0;
  std::size_t seen_ = 0;
};

/// Forwards everything, but empties every list in a reply.
class EmptyingLink final : public Link {
 public:
  explicit EmptyingLink(Link& whole) : whole_(whole) {}

  Reply exchange(const Command& command) override {
    Reply reply = whole_.exchange(command);
    if (command.verb != "hello" && command.verb != "reset") empty(reply);
    return reply;
  }
  void restart() override { whole_.restart(); }

 private:
  static void empty(Reply& reply) {
    Fields fields;
    for (const auto& [name, value] : reply.ok) {
      fields.set(name, value.get_if<List>() == nullptr ? value : Value(List{}));
    }
    reply.ok = std::move(fields);
    for (Reply& one : reply.replies) empty(one);
  }

  Link& whole_;
};

std::string set_or(const char* variable, const char* usual) {
  const char* text = std::getenv(variable);
  return text == nullptr ? usual : text;
}

/// More with ASSAY_CHANGED_REPLIES=n.
std::uint64_t rounds() {
  return std::strtoull(set_or("ASSAY_CHANGED_REPLIES", "2").c_str(), nullptr, 10);
}

/// Other seeds with ASSAY_CHANGED_SEED=n.
std::uint64_t first_seed() {
  return std::strtoull(set_or("ASSAY_CHANGED_SEED", "1000").c_str(), nullptr, 10);
}

struct Campaign {
  ConnectedSubject whole = connect(set_or("ASSAY_CHANGED_SUBJECT", "reference"), {});
  ChangedLink link{*whole.link};
  Runner runner{link, {}};
  std::size_t changed = 0;
  std::size_t noticed = 0;

  void run(const Task& task, std::uint64_t seed) {
    const Case& test = *task.test;
    link.change_none();
    runner.run(task);
    const std::size_t replies = link.seen();
    if (replies == 0) return;
    for (std::uint64_t round = 0; round < rounds(); ++round) {
      Random random(seed + round);
      link.change_reply(below(random, replies), seed + round);
      if (std::getenv("ASSAY_CHANGED_SHOW") != nullptr)
        std::cerr << test.id << " " << seed + round << std::endl;
      const CaseResult result = runner.run(task);
      ++changed;
      noticed += result.outcome == Outcome::kPass ? 0 : 1;
      EXPECT_NE(result.outcome, Outcome::kInternal)
          << test.id << ", seed " << seed + round << ": " << result.failure->sentence;
    }
  }
};

TEST(ChangedReplies, FailACaseAndNothingElse) {
  Campaign campaign;
  Selection selection;
  selection.excludes = {"*sweep*", "*stress*"};  // long, and of few commands
  std::uint64_t seed = first_seed();
  for (const Task& task : plan_of(all_cases(), selection, wanted_contracts(selection)).tasks) {
    campaign.run(task, seed += 1000);
  }

  EXPECT_GT(campaign.changed, 3000U);
  EXPECT_GT(campaign.noticed * 5, campaign.changed) << "cases look at too little";
  std::cout << campaign.noticed << " of " << campaign.changed << " changed replies noticed"
            << std::endl;
}

TEST(ChangedReplies, OfEmptyListsFailACaseAndNothingElse) {
  const ConnectedSubject whole = connect("reference", {});
  EmptyingLink link(*whole.link);
  Runner runner(link, {});
  Selection selection;
  selection.filters = {"dispatch/*"};  // where most lists are read by their places
  std::size_t failed = 0;
  for (const Task& task : plan_of(all_cases(), selection, wanted_contracts(selection)).tasks) {
    const CaseResult result = runner.run(task);
    failed += result.outcome == Outcome::kFail ? 1 : 0;
    EXPECT_NE(result.outcome, Outcome::kInternal)
        << task.test->id << ": " << result.failure->sentence;
  }

  EXPECT_GT(failed, 20U) << "cases look at too little";
}

}  // namespace
}  // namespace assay
