// Environments in which a learner decides who can talk to whom. The thesis' one (section 4.2) knows
// nodes by their colours and divides them into blocks; two finer ones (figure 4.3) know them by
// their identities, or decide about every link. In all of them the messages of those who can talk
// arrive, in an order that is drawn, and time passes where there are none.
#include <algorithm>
#include <array>
#include <optional>

#include "base/hash.h"
#include "base/mutant.h"
#include "base/text.h"
#include "explore/learn/environment.h"
#include "explore/learn/partitions.h"

namespace ordeal::explore {
namespace {

enum class Talk : uint8_t { kByColours, kByIdentities, kByLinks };

constexpr size_t kMostMembers = 7;  // that can be divided into blocks in less than 1,000 ways
constexpr size_t kMostLinked = 4;   // that have less than 100 sets of links

struct PartitionSettings {
  Talk talk = Talk::kByColours;
  uint32_t ticks = 4;
  uint32_t same_state = 5;
  uint32_t crash_actions = 3;
  uint32_t crashed_at_once = 1;
  uint32_t requests = 5;
};

// What an action does, beside the name that the learner knows it by.
enum class Deed : uint8_t { kStay, kDivide, kCrash, kStart, kRequest };

class PartitionEnvironment : public Environment {
 public:
  PartitionEnvironment(const PartitionSettings& settings, uint32_t colouring,
                       std::vector<NodeId> members, std::vector<uint32_t> places)
      : settings_(settings),
        colouring_(colouring),
        members_(std::move(members)),
        places_(std::move(places)) {}

  void begin(World& world) override {
    blocks_.assign(members_.size(), 0);
    links_ = ~uint32_t{0};
    same_ = 0;
    crashes_ = 0;
    requests_ = 0;
    stayed_ = false;
    round_.clear();
    ticks_ = 0;
    first_step_.reset();
    see(world);
    last_key_ = config_key();
  }

  uint64_t look(World& world, std::vector<uint64_t>& actions) override {
    see(world);
    const uint64_t config = config_key();
    same_ = stayed_ && config == last_key_ ? std::min(same_ + 1, settings_.same_state) : 0;
    stayed_ = false;
    last_key_ = config;
    list(world);
    for (const Listed& one : listed_) actions.push_back(one.key);
    const uint64_t asks = std::min<uint64_t>(waiting_, settings_.requests - requests_);
    return combine(combine(config, same_), asks);
  }

  void take(World&, uint32_t action, Rng& rng) override {
    const Listed& picked = listed_[action];
    ticks_ = 1;
    round_.clear();
    first_step_.reset();
    switch (picked.deed) {
      case Deed::kStay:
        ticks_ = settings_.ticks;
        stayed_ = true;
        break;
      case Deed::kDivide:
        ticks_ = settings_.ticks;
        divide(picked, rng);
        break;
      case Deed::kCrash:
        ++crashes_;
        first_step_ = Wanted{ActionKind::kCrash, one_that_looks_like(picked.colour, rng)};
        break;
      case Deed::kStart:
        first_step_ = Wanted{ActionKind::kRecover, one_that_looks_like(kCrashedColour, rng)};
        break;
      case Deed::kRequest:
        ++requests_;
        first_step_ = Wanted{ActionKind::kRequest, -1};
        break;
    }
  }

  uint32_t next(World& world, Rng& rng) override {
    const std::vector<Choice>& enabled = world.enabled();
    // An object that asks in the middle of a handler gets any answer.
    if (enabled[0].kind == ActionKind::kChoose) {
      return static_cast<uint32_t>(rng.below(enabled.size()));
    }
    if (first_step_) {
      const Wanted wanted = *first_step_;
      first_step_.reset();
      const uint32_t step = find(world, wanted, rng);
      if (step != kDone) return step;
    }
    for (;;) {
      while (!round_.empty()) {
        const Offer offer = round_.back();
        round_.pop_back();
        const uint32_t step = find(world, offer, rng);
        if (step != kDone) return step;
      }
      if (ticks_ == 0) return kDone;
      const uint32_t lost = find_lost(world);
      if (lost != kDone) return lost;
      --ticks_;
      begin_round(world, rng);
      if (!round_.empty()) continue;
      const uint32_t timer = find_timer(world, rng);
      if (timer != kDone) return timer;
    }
  }

 private:
  struct Listed {
    uint64_t key;
    Deed deed;
    uint64_t colour = 0;
    uint32_t division = 0;  // one that it stands for; a set of links
  };
  // The first step of an action, where it is not a tick.
  struct Wanted {
    ActionKind kind;
    NodeId node;
  };

  bool is_up(size_t member) const { return colours_[member] != kCrashedColour; }

  void see(World& world) {
    all_colours_.clear();
    world.colours(colouring_, all_colours_);
    colours_.clear();
    for (const uint32_t place : places_) colours_.push_back(all_colours_[place]);
  }

  // Who is down is a block apart.
  const Blocks& blocks_with_crashed() {
    shown_ = blocks_;
    for (size_t i = 0; i < shown_.size(); ++i) {
      if (!is_up(i)) shown_[i] = static_cast<uint8_t>(members_.size() + i);
    }
    return shown_;
  }

  uint64_t config_key() {
    if (settings_.talk == Talk::kByColours) return key_by_colours(blocks_with_crashed(), colours_);
    uint64_t out = settings_.talk == Talk::kByLinks ? links_ & links_mask()
                                                    : key_by_identities(blocks_with_crashed());
    for (const uint64_t colour : colours_) out = combine(out, colour);
    return out;
  }

  // --- The actions ---
  void list(World& world) {
    listed_.clear();
    const auto key = [](Deed deed, uint64_t what) {
      return combine(static_cast<uint64_t>(deed) + 1, what);
    };
    listed_.push_back({key(Deed::kStay, 0), Deed::kStay});
    list_divisions(key);
    waiting_ = 0;
    bool starts = false;
    crashable_.clear();
    const std::vector<Choice>& enabled = world.enabled();
    for (uint32_t i = 0; i < enabled.size(); ++i) {
      switch (enabled[i].kind) {
        case ActionKind::kCrash:
          if (const auto member = member_of(world.offer(i).node)) {
            crashable_.push_back(colours_[*member]);
          }
          break;
        case ActionKind::kRecover:
          starts = starts || member_of(world.offer(i).node);
          break;
        case ActionKind::kRequest:
          ++waiting_;
          break;
        case ActionKind::kDeliver:
          if (is_request(world.offer(i))) ++waiting_;
          break;
        default:
          break;
      }
    }
    const auto down = std::count(colours_.begin(), colours_.end(), kCrashedColour);
    if (crashes_ < settings_.crash_actions &&
        static_cast<uint32_t>(down) < settings_.crashed_at_once) {
      std::sort(crashable_.begin(), crashable_.end());
      crashable_.erase(std::unique(crashable_.begin(), crashable_.end()), crashable_.end());
      for (const uint64_t colour : crashable_) {
        listed_.push_back({key(Deed::kCrash, colour), Deed::kCrash, colour});
      }
    }
    if (starts) listed_.push_back({key(Deed::kStart, 0), Deed::kStart});
    if (waiting_ > 0 && requests_ < settings_.requests) {
      listed_.push_back({key(Deed::kRequest, 0), Deed::kRequest});
    }
  }

  template <class Key>
  void list_divisions(const Key& key) {
    up_.clear();
    up_colours_.clear();
    for (uint32_t i = 0; i < members_.size(); ++i) {
      if (!is_up(i)) continue;
      up_.push_back(i);
      up_colours_.push_back(colours_[i]);
    }
    if (settings_.talk == Talk::kByLinks) {
      for (uint32_t links = 0; links <= links_mask(); ++links) {
        listed_.push_back({key(Deed::kDivide, links), Deed::kDivide, 0, links});
      }
      return;
    }
    const std::vector<Blocks>& ways = all_divisions(up_.size());
    const size_t first = listed_.size();
    for (uint32_t i = 0; i < ways.size(); ++i) {
      const uint64_t named = settings_.talk == Talk::kByColours
                                 ? key_by_colours(ways[i], up_colours_)
                                 : key_by_identities(ways[i]);
      const uint64_t whole = key(Deed::kDivide, named);
      const bool known = std::any_of(listed_.begin() + static_cast<ptrdiff_t>(first), listed_.end(),
                                     [&](const Listed& one) { return one.key == whole; });
      if (!known) listed_.push_back({whole, Deed::kDivide, 0, i});
    }
  }

  // Those of one colour are not told apart: which of them is where is drawn.
  void divide(const Listed& picked, Rng& rng) {
    if (settings_.talk == Talk::kByLinks) {
      links_ = picked.division;
      return;
    }
    const std::vector<Blocks>& ways = all_divisions(up_.size());
    uint32_t way = picked.division;
    if (settings_.talk == Talk::kByColours) {
      const uint64_t wanted = key_by_colours(ways[way], up_colours_);
      uint64_t equals = 0;
      for (uint32_t i = 0; i < ways.size(); ++i) {
        if (key_by_colours(ways[i], up_colours_) != wanted) continue;
        if (rng.below(++equals) == 0) way = i;
      }
    }
    for (size_t i = 0; i < up_.size(); ++i) blocks_[up_[i]] = ways[way][i];
  }

  NodeId one_that_looks_like(uint64_t colour, Rng& rng) {
    NodeId out = -1;
    uint64_t equals = 0;
    for (size_t i = 0; i < members_.size(); ++i) {
      if (colours_[i] == colour && rng.below(++equals) == 0) out = members_[i];
    }
    return out;
  }

  // --- Who can talk to whom ---
  std::optional<size_t> member_of(NodeId node) const {
    for (size_t i = 0; i < members_.size(); ++i) {
      if (members_[i] == node) return i;
    }
    return std::nullopt;
  }
  uint32_t links_mask() const {
    const size_t n = members_.size();
    return (uint32_t{1} << (n * (n - 1) / 2)) - 1;
  }
  bool linked(size_t a, size_t b) const {
    if (a == b) return true;
    if (a > b) std::swap(a, b);
    return (links_ >> (b * (b - 1) / 2 + a) & 1) != 0;
  }
  // From outside to a member: that is for the learner to pick.
  bool is_request(const Offer& offer) const {
    return offer.kind == ActionKind::kDeliver && !member_of(offer.from) && member_of(offer.node);
  }
  bool crosses(const Offer& offer) const {
    const std::optional<size_t> from = member_of(offer.from);
    const std::optional<size_t> to = member_of(offer.node);
    if (!from || !to) return false;
    if (mutant(Mutant::kBlocksIgnored)) return false;
    return settings_.talk == Talk::kByLinks ? !linked(*from, *to) : blocks_[*from] != blocks_[*to];
  }

  // --- The steps of an action ---
  static bool arrives(ActionKind kind) {
    return kind == ActionKind::kDeliver || kind == ActionKind::kEvent ||
           kind == ActionKind::kDetect || kind == ActionKind::kRestore;
  }

  // Everything that may arrive now, in an order that is drawn. What it makes comes later.
  void begin_round(World& world, Rng& rng) {
    const std::vector<Choice>& enabled = world.enabled();
    for (uint32_t i = 0; i < enabled.size(); ++i) {
      if (!arrives(enabled[i].kind)) continue;
      // Ways of one handler come one after the other.
      if (i > 0 && enabled[i].kind == enabled[i - 1].kind && enabled[i].a == enabled[i - 1].a) {
        continue;
      }
      const Offer offer = world.offer(i);
      if (!is_request(offer) && !crosses(offer)) round_.push_back(offer);
    }
    for (size_t i = round_.size(); i > 1; --i) std::swap(round_[i - 1], round_[rng.below(i)]);
  }

  // What cannot get through is lost, where messages can be.
  uint32_t find_lost(World& world) const {
    const std::vector<Choice>& enabled = world.enabled();
    for (uint32_t i = 0; i < enabled.size(); ++i) {
      if (enabled[i].kind == ActionKind::kDrop && crosses(world.offer(i))) return i;
    }
    return kDone;
  }

  template <class Fits>
  static uint32_t draw(World& world, Rng& rng, const Fits& fits) {
    uint32_t out = kDone;
    uint64_t equals = 0;
    const uint32_t count = static_cast<uint32_t>(world.enabled().size());
    for (uint32_t i = 0; i < count; ++i) {
      if (fits(i) && rng.below(++equals) == 0) out = i;
    }
    return out;
  }
  static uint32_t find_timer(World& world, Rng& rng) {
    return draw(world, rng,
                [&](uint32_t i) { return world.enabled()[i].kind == ActionKind::kTimer; });
  }
  uint32_t find(World& world, const Wanted& wanted, Rng& rng) const {
    return draw(world, rng, [&](uint32_t i) {
      const ActionKind kind = world.enabled()[i].kind;
      if (wanted.kind == ActionKind::kRequest) {
        return kind == ActionKind::kRequest ||
               (kind == ActionKind::kDeliver && is_request(world.offer(i)));
      }
      return kind == wanted.kind && world.offer(i).node == wanted.node;
    });
  }
  // Whichever way its handler goes.
  static uint32_t find(World& world, const Offer& offer, Rng& rng) {
    return draw(world, rng, [&](uint32_t i) {
      return world.enabled()[i].kind == offer.kind && world.offer(i) == offer;
    });
  }

  const PartitionSettings settings_;
  const uint32_t colouring_;
  const std::vector<NodeId> members_;   // who is divided
  const std::vector<uint32_t> places_;  // … their places among all nodes

  Blocks blocks_;         // by member
  uint32_t links_ = 0;    // a bit for every pair of members
  uint32_t same_ = 0;     // how often the same was seen after staying as it was
  uint32_t crashes_ = 0;  // crash actions in this episode
  uint32_t requests_ = 0;
  uint64_t last_key_ = 0;
  bool stayed_ = false;
  uint32_t waiting_ = 0;  // requests that could be made
  uint32_t ticks_ = 0;    // left of the action that is being taken
  std::optional<Wanted> first_step_;
  std::vector<Offer> round_;  // what arrives in this tick, the next one last

  // Room that is used again.
  std::vector<uint64_t> all_colours_;
  std::vector<uint64_t> colours_;  // by member
  Blocks shown_;
  std::vector<Listed> listed_;
  std::vector<uint64_t> crashable_;
  std::vector<uint32_t> up_;
  std::vector<uint64_t> up_colours_;
};

// The most numerous nodes of one type: those who are divided. Others are clients, who reach all.
struct Group {
  std::vector<NodeId> members;
  std::vector<uint32_t> places;
};

Result<Group> group_in(World& world) {
  if (auto started = world.reset(0); !started) return started.error();
  const Snapshot snapshot = world.observe();
  Group best;
  for (const Snapshot::Part& like : snapshot.parts) {
    if (like.node < 0 || like.component) continue;
    Group group;
    uint32_t place = 0;
    for (const Snapshot::Part& part : snapshot.parts) {
      if (part.node < 0 || part.component) continue;
      if (part.type == like.type) {
        group.members.emplace_back(part.node);
        group.places.push_back(place);
      }
      ++place;
    }
    if (group.members.size() > best.members.size()) best = std::move(group);
  }
  return best;
}

const std::array<StrategyOption, 5>& partition_options() {
  static const std::array<StrategyOption, 5> all = {
      StrategyOption::number(
          "ticks", "a number of ticks",
          "in each step of a partition: a tick delivers what is on its way, or lets time "
          "pass where nothing is",
          "4", 1, 1000),
      StrategyOption::number("same-state", "a bound on the counter of equal states",
                             "how often the same state counts as another while partitions stay",
                             "5", 0, 1000),
      StrategyOption::number("crash-actions", "a number of crash actions",
                             "at most so many in an episode", "3", 0, 1000),
      StrategyOption::number("crashed-at-once", "a number of nodes that are down",
                             "at most so many at the same time", "1", 0, 1000),
      StrategyOption::number("requests", "a number of requests",
                             "messages of clients that are let through, at most, in an episode",
                             "5", 0, 1'000'000)};
  return all;
}

EnvironmentKind talking(const std::string& name, const std::string& what, Talk talk) {
  EnvironmentKind kind;
  kind.name = name;
  kind.what = what;
  kind.options.assign(partition_options().begin(), partition_options().end());
  kind.make = [talk, name](const Options& options, World& world,
                           uint32_t colouring) -> Result<std::unique_ptr<Environment>> {
    Result<Group> group = group_in(world);
    if (!group) return group.error();
    const size_t most = talk == Talk::kByLinks ? kMostLinked : kMostMembers;
    const std::string who = "environment " + name + ": ";
    if (group->members.size() < 2) {
      return Error{who +
                   "there are no two nodes of one type between which links could break; use "
                   "--environment actions"};
    }
    if (group->members.size() > most) {
      return Error{who + "it divides at most " + std::to_string(most) + " nodes, and there are " +
                   std::to_string(group->members.size()) + "; use --environment actions"};
    }
    const auto number = [&](size_t i) {
      return static_cast<uint32_t>(number_of(partition_options()[i], options));
    };
    const PartitionSettings settings{talk, number(0), number(1), number(2), number(3), number(4)};
    return std::unique_ptr<Environment>(std::make_unique<PartitionEnvironment>(
        settings, colouring, std::move(group->members), std::move(group->places)));
  };
  return kind;
}

}  // namespace

EnvironmentKind partition_environment() {
  return talking("partition", "who can talk to whom, nodes known by their colours",
                 Talk::kByColours);
}
EnvironmentKind identities_environment() {
  return talking("identities", "who can talk to whom, nodes known by their identities",
                 Talk::kByIdentities);
}
EnvironmentKind links_environment() {
  return talking("links", "which links are up, nodes known by their identities", Talk::kByLinks);
}

}  // namespace ordeal::explore
