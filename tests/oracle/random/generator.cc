#include "tests/oracle/random/generator.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "ordeal/predicate.h"
#include "ordeal/system.h"
#include "tests/oracle/random/adding.h"
#include "tests/oracle/random/declarations.h"
#include "tests/oracle/random/judging.h"
#include "tests/oracle/random/program.h"

namespace ordeal::oracle {
namespace {

class Generator {
 public:
  explicit Generator(uint64_t seed, Purpose purpose = {}) : rng_(seed), purpose_(purpose) {
    out_.seed = seed;
  }

  Case generate() {
    out_.program = std::make_unique<Program>();
    active_program() = out_.program.get();
    layout();
    network();
    faults();
    write_program();
    add_nodes();
    requests();
    properties();
    declarations_.declare(out_.system, rng_, out_.features);
    return std::move(out_);
  }

 private:
  enum Kind : uint8_t { kFull, kPlain, kDeaf, kPart };

  uint64_t below(uint64_t n) { return rng_.below(n); }
  bool chance(uint64_t percent) { return below(100) < percent; }
  bool has(const std::string& feature) const { return out_.features.count(feature) > 0; }
  bool with(const std::string& feature, uint64_t percent) {
    if (!chance(percent)) return false;
    out_.features.insert(feature);
    return true;
  }
  void note(const std::string& feature) { out_.features.insert(feature); }

  using Stage = Declarations::Stage;
  void declare(Stage stage, std::function<void(System&)> how) {
    declarations_.add(stage, std::move(how));
  }

  // --- What there is -----------------------------------------------------------------------------

  void layout() {
    const uint64_t dice = below(100);
    count_ = dice < 10 ? 1 : dice < 55 ? 2 : dice < 90 ? 3 : 4;
    if (purpose_.alike) count_ = dice < 40 ? 2 : dice < 80 ? 3 : 4;
    note("nodes " + std::to_string(count_));
    first_id_ = with("ids from elsewhere", 15) ? static_cast<int>(below(2) * 5) : 1;
    // A field that nobody has set names node 0, which must be none where nodes are renamed.
    if (purpose_.alike && first_id_ == 0) first_id_ = 3;
    main_kind_ = chance(70) ? kFull : chance(60) ? kPlain : kDeaf;
    others_ =
        count_ > 1 && with("two node types", 30) ? 1 + static_cast<int>(below(count_ - 1)) : 0;
    other_kind_ = main_kind_ == kFull ? (chance(50) ? kPlain : kDeaf) : kFull;
    for (int i = 0; i < count_; ++i) out_.nodes.push_back(first_id_ + i);
    if (purpose_.alike) group_nodes();
    if (with("component", 25)) out_.component = first_id_ + count_;
    out_.program->states = 1 + static_cast<int>(below(3));
  }

  void group_nodes() {
    const auto middle = out_.nodes.end() - others_;
    for (const auto& group : {std::vector<NodeId>(out_.nodes.begin(), middle),
                              std::vector<NodeId>(middle, out_.nodes.end())}) {
      if (group.size() > 1) out_.alike.push_back(group);
    }
  }

  bool is_alike(NodeId node) const {
    return std::any_of(out_.alike.begin(), out_.alike.end(), [&](const auto& group) {
      return std::find(group.begin(), group.end(), node) != group.end();
    });
  }

  Kind kind_of(int index) const { return index < count_ - others_ ? main_kind_ : other_kind_; }

  void network() {
    const uint64_t dice = below(100);
    Network kind = Network::kOrdered;
    // In a set, what was delivered before and changes nothing leads to where it began.
    if (dice < (purpose_.rounds ? 75 : 60)) {
      kind = Network::kBag;
      note("network bag");
    } else if (dice < 75) {
      kind = Network::kSet;
      note("network set");
      set_ = true;
    } else {
      note("network ordered");
    }
    declare(Stage::kFaults, [kind](System& s) { s.network(kind); });
    if (with("drops", 20)) {
      declare(Stage::kFaults, [budget = one_or_two()](System& s) { s.drops(budget); });
    }
    if (!set_ && with("duplicates", 15)) {
      declare(Stage::kFaults, [budget = one_or_two()](System& s) { s.duplicates(budget); });
    }
    if (!purpose_.may_live && with("skip no-ops", 20)) {
      declare(Stage::kFaults, [](System& s) { s.skip_noops(); });
    }
    timed_ = with("timed", 20);
    if (timed_) declare(Stage::kFaults, [](System& s) { s.timed(); });
    if (timed_ && !set_ && with("prompt", 40)) {
      declare(Stage::kFaults, [](System& s) { s.prompt(); });
    }
  }

  uint32_t one_or_two() { return 1 + static_cast<uint32_t>(below(2)); }

  void faults() {
    if (with("crash", 45)) {
      std::vector<NodeId> nodes;
      const bool main = purpose_.alike && (others_ == 0 || chance(60));
      for (NodeId node : out_.nodes) {
        const bool strikes = node - first_id_ < count_ - others_ ? main : !main;
        if (purpose_.alike ? strikes : chance(60)) nodes.push_back(node);
      }
      if (nodes.empty()) nodes.push_back(out_.nodes.back());
      const int most = chance(50) ? -1 : static_cast<int>(one_or_two());
      declare(Stage::kFaults, [nodes, most](System& s) { s.crash(nodes, most); });
      if (with("recoveries", 45)) {
        declare(Stage::kFaults, [budget = one_or_two()](System& s) { s.recoveries(budget); });
      }
      if (!purpose_.may_live && with("crash at persist", 35)) {
        declare(Stage::kFaults, [](System& s) { s.crash_at_persist(); });
      }
    }
    const uint64_t dice = below(100);
    if (dice < (has("crash") ? 35 : 5)) {
      declare(Stage::kFaults, [](System& s) { s.detector(Detector::kPerfect); });
      note("detector perfect");
    } else if (dice < (has("crash") ? 60 : 15)) {
      declare(Stage::kFaults, [budget = one_or_two()](System& s) {
        s.detector(Detector::kEventuallyPerfect, budget);
      });
      note("detector eventually perfect");
    }
    if (count_ > 1 && chance(15)) partitions();
  }

  void partitions() {
    const uint32_t budget = one_or_two();
    if (purpose_.alike || chance(60)) {
      declare(Stage::kPartitions, [budget](System& s) { s.partitions(budget); });
      note("partitions any");
      return;
    }
    detail::Split split = {{out_.nodes[0]}};
    // Who is not named is in a block with all others who are not.
    if (chance(50)) split.emplace_back(out_.nodes.begin() + 1, out_.nodes.end());
    declare(Stage::kPartitions, [split](System& s) { s.partitions(1, {split}); });
    note("partitions given");
  }

  // --- The program -------------------------------------------------------------------------------

  void write_program() {
    const int roles = 1 + static_cast<int>(below(2));
    fails_ = chance(20);
    busy_ = chance(25) ? 3 : 2;
    for (int r = 0; r < roles; ++r) add_role(false);
    if (out_.component != Case::kNoComponent) add_role(true);
  }

  void add_role(bool part) {
    Role role;
    role.fuel = static_cast<uint8_t>(1 + below(count_ < 3 ? 3 : chance(20) ? 2 : 1));
    for (int state = 0; state < out_.program->states; ++state) {
      std::vector<Rule> rules(kTriggers);
      for (int trigger = 0; trigger < kTriggers; ++trigger) {
        const uint64_t likely = trigger == kOnStart ? 90 : trigger == kOnNote && part ? 90 : 70;
        if (chance(likely)) rules[trigger] = rule(trigger, part);
      }
      if (purpose_.rounds && !part && chance(60)) add_round(rules);
      role.rules.push_back(std::move(rules));
    }
    out_.program->roles.push_back(std::move(role));
  }

  // Pings that answer each other for nothing. No step leads to where it began: that is seen at
  // once.
  void add_round(std::vector<Rule>& rules) {
    for (const auto& [trigger, answer] : {std::pair(kOnPing0, 1), std::pair(kOnPing1, 0)}) {
      std::vector<Step> steps = {{Do::kReply, 0, kPing, answer}};
      if (chance(30)) steps.push_back({Do::kState, state(), 0, 0});
      rules[trigger] = {false, {steps}};
    }
  }

  static bool on_message(int trigger) { return trigger >= kOnPing0; }

  Rule rule(int trigger, bool part) {
    Rule out;
    out.costs = !chance(20);
    if (!out.costs) note("free rules");
    const bool may_choose = !part || trigger == kOnNote;
    size_t ways = 1;
    if (may_choose && chance(10)) {
      ways = 2 + below(2);
      note(part ? "component that chooses" : "choose");
      if (trigger == kOnStart) note("start that chooses");
    }
    for (size_t way = 0; way < ways; ++way) out.branches.push_back(steps(trigger, part, out.costs));
    return out;
  }

  std::vector<Step> steps(int trigger, bool part, bool costs) {
    std::vector<Step> out;
    // A free rule may put one event in the place of the one it consumes: not when a timer fires,
    // which consumes none, nor in a set, which keeps them.
    bool may_emit = costs || (trigger != kOnTimerA && trigger != kOnTimerB && !set_);
    const uint64_t many = 1 + below(busy_);
    // Persists around other effects, and persists alone, matter most where nodes crash.
    const uint64_t persists = part ? 0 : has("crash at persist") ? 35 : has("crash") ? 10 : 0;
    if (has("skip no-ops") && !part && chance(10)) return {persist()};
    if (trigger == kOnStart && costs && !part) out.push_back(emission(trigger, part, costs));
    for (uint64_t i = 0; i < many; ++i) {
      if (chance(persists)) out.push_back(persist());
      const uint64_t dice = below(100);
      if (dice < 20) {
        out.push_back({Do::kState, state(), 0, 0});
      } else if (dice < 55) {
        if (!may_emit) continue;
        out.push_back(emission(trigger, part, costs));
        may_emit = costs;
      } else {
        own_step(dice, trigger, part, costs, out);
      }
    }
    if (fails_ && trigger != kOnStart && chance(25)) {
      out.insert(out.begin() + static_cast<ptrdiff_t>(below(out.size() + 1)), failure(part));
      note("failing handler");
    }
    return out;
  }

  void own_step(uint64_t dice, int trigger, bool part, bool costs, std::vector<Step>& out) {
    const int value = static_cast<int>(below(3));
    if (dice < 63) {
      const bool idle = with("idle timer", 25);
      out.push_back({Do::kSetTimer, static_cast<int>(below(2)), value, idle ? 1 : 0});
      note("timer");
    } else if (dice < 67) {
      out.push_back({Do::kCancelTimer, static_cast<int>(below(2)), 0, 0});
    } else if (dice < 75) {
      if (part) return;
      out.push_back(persist());
    } else if (dice < 82) {
      if (!costs || part) return;
      out.push_back({Do::kDecide, value, decided_as(), 0});
      note("decide");
    } else if (dice < 90) {
      if (!costs || part) return;
      const bool invokes = dice < 86;
      const bool twin = invokes && value > 0 && with("operations of one name", 20);
      out.push_back({invokes ? Do::kInvoke : Do::kReturn, value, twin ? 1 : 0, 0});
      note("history");
    } else if (dice < 94) {
      if (on_message(trigger)) out.push_back({Do::kRemember, 0, 0, 0});
    } else if (dice < 97) {
      if (part || trigger == kOnStart || !chance(50)) return;
      out.push_back({Do::kChoose, 2, 0, 0});
      note("choose twice");
    } else if (dice < 98) {
      out.push_back({Do::kLog, 0, 0, 0});
    } else {
      out.push_back({Do::kFlip, state(), 0, 0});
      note("negative zero");
    }
  }

  int decided_as() {
    if (!with("decisions of one name", 30)) return 0;
    return 1 + static_cast<int>(below(2));
  }

  Step persist() {
    note("persist");
    return {Do::kPersist, static_cast<int>(below(3)), 0, 0};
  }

  Step emission(int trigger, bool part, bool costs) {
    Step step;
    step.b = chance(70) ? kPing : kToken;
    step.c = static_cast<int>(below(3));
    const uint64_t dice = below(100);
    if (on_message(trigger) && !part && dice < 25) {
      step.what = Do::kReply;
      return step;
    }
    if (costs && !part && dice < 40) {
      step.what = chance(50) ? Do::kBroadcast : Do::kBroadcastAll;
      note("broadcast");
      return step;
    }
    step.what = Do::kSend;
    if (dice > 85) {
      step.what = Do::kPost;
      note("post");
    }
    step.a = target(part);
    // Only full nodes and components handle notes, and only a component itself makes it choose.
    if (part && step.a == kToSelf) {
      step.b = kNote;
    } else if (step.a >= first_id_ && step.a < first_id_ + count_ &&
               kind_of(step.a - first_id_) == kFull && chance(25)) {
      step.b = chance(50) ? kNote : kTwin;
      if (step.b == kTwin) note("messages of one name");
    }
    return step;
  }

  int target(bool part) {
    const uint64_t dice = below(100);
    if (dice < 10) return kToSelf;
    if (dice < 20 && !part) return kToLast;
    if (out_.component != Case::kNoComponent && !part && dice < 40) return out_.component;
    const int node = first_id_ + static_cast<int>(below(static_cast<uint64_t>(count_)));
    return is_alike(node) ? kToLast : node;
  }

  Step failure(bool part) {
    switch (below(part ? 3 : 9)) {
      case 0:
        return {Do::kAssert, state(), 0, 0};
      case 1:
        return {Do::kThrow, 0, 0, 0};
      case 2:
        return {Do::kSendNowhere, 0, 0, 0};
      case 3:
        return {Do::kChooseZero, 0, 0, 0};
      case 4:
        return {Do::kPersistWrongType, 0, 0, 0};
      case 5:
        return {Do::kInvokeTwice, 0, 0, 0};
      case 6:
        return {Do::kSendUnhandled, 0, 0, 0};
      case 7:
        return {Do::kSetTimerAnyway, 0, 0, 0};
      default:
        return {Do::kReturnNothing, 0, 0, 0};
    }
  }

  int state() { return static_cast<int>(below(static_cast<uint64_t>(out_.program->states))); }

  // --- The system --------------------------------------------------------------------------------

  template <class T>
  void add(int count) {
    const int roles = static_cast<int>(out_.program->roles.size()) -
                      (out_.component == Case::kNoComponent ? 0 : 1);
    const Program* program = out_.program.get();
    const auto make = [roles, program, alike = purpose_.alike](NodeId id) {
      const int number = alike ? (std::is_same_v<T, Full> ? 0 : 1) : id.value;
      const auto role = static_cast<uint8_t>(number % roles);
      const bool plain = std::is_same_v<T, Plain>;
      return T{Cell{role, 0, program->roles[role].fuel, plain, false, {}, {}}};
    };
    declare(Stage::kNodes, [=, purpose = purpose_](System& s) {
      add_nodes_of<T>(s, purpose, program, count, make);
    });
  }

  void add_kind(Kind kind, int count) {
    if (count == 0) return;
    switch (kind) {
      case kPlain:
        return add<Plain>(count);
      case kDeaf:
        return add<Deaf>(count);
      default:
        return add<Full>(count);
    }
  }

  void add_nodes() {
    declare(Stage::kNodes, [id = first_id_](System& s) { s.first_id(id); });
    add_kind(main_kind_, count_ - others_);
    add_kind(other_kind_, others_);
    if (out_.component == Case::kNoComponent) return;
    const auto role = static_cast<uint8_t>(out_.program->roles.size() - 1);
    const Part part{Cell{role, 0, out_.program->roles[role].fuel, false, false, {}, {}}};
    declare(Stage::kNodes, [part, purpose = purpose_, program = out_.program.get()](System& s) {
      add_part(s, purpose, program, part);
    });
  }

  void requests() {
    for (uint64_t i = below(3) + (main_kind_ == kDeaf ? 1 : 0); i > 0; --i) {
      const int index = static_cast<int>(below(static_cast<uint64_t>(count_)));
      if (kind_of(index) == kPlain) continue;
      const auto n = static_cast<uint8_t>(below(4));
      const bool twin = kind_of(index) == kFull && with("requests of one name", 20);
      for (int other = 0; other < count_; ++other) {
        // What one of several like nodes is asked, all of them are.
        const bool like = is_alike(first_id_ + other) && kind_of(other) == kind_of(index);
        if (other != index && !like) continue;
        declare(Stage::kRequests, [=, purpose = purpose_, id = first_id_ + other](System& s) {
          s.request(id, asked(purpose, twin, n));
        });
      }
      note("request");
    }
  }

  // --- Properties --------------------------------------------------------------------------------

  void always(std::string name, Predicate predicate) {
    declare(Stage::kProperties, [=](System& s) { s.always(name, predicate); });
  }
  void sometimes(std::string name, Predicate predicate) {
    declare(Stage::kProperties, [=](System& s) { s.sometimes(name, predicate); });
  }
  void eventually(std::string name, Predicate predicate) {
    declare(Stage::kProperties, [=](System& s) { s.eventually(name, predicate); });
  }

  template <class T>
  void node_properties() {
    const auto bad = static_cast<uint8_t>(below(3));
    if (with("always each", 25)) {
      always("each", each_seen<T>(purpose_, [bad](Seen t) { return t.state != bad; }));
    }
    if (with("always each correct", 25)) {
      const auto fine = [bad](Seen t) { return t.fuel != bad; };
      always("each correct", each_seen<T>(purpose_, fine, Over::kCorrect));
    }
    if (!purpose_.local && with("always pairs", 20)) {
      always("pairs", pairs_seen<T>(purpose_, [alike = purpose_.alike](Seen a, Seen b) {
               return alike ? a.state == b.state : a.state <= b.state;
             }));
    }
    if (!purpose_.local && with("always correct pairs", 20)) {
      const auto fine = [bad](Seen a, Seen b) { return a.state + b.fuel != bad + 1; };
      const auto both = [fine, alike = purpose_.alike](Seen a, Seen b) {
        return fine(a, b) && (!alike || fine(b, a));
      };
      always("correct pairs", pairs_seen<T>(purpose_, both, Over::kCorrect));
    }
    if (with("eventually each", 20)) {
      const auto fine = [bad](Seen t) { return t.fuel <= bad; };
      eventually("each in the end", each_seen<T>(purpose_, fine));
    }
  }

  void decision_properties() {
    if (!purpose_.local && with("agreement", 40)) {
      always("agreement", agreement());
      always("agreement again", [](const View& view) { return agree(view, false); });
    }
    if (!purpose_.local && with("agreement correct", 30)) {
      always("agreement of the correct", agreement(Over::kCorrect));
      always("agreement of the correct again", [](const View& v) { return agree(v, true); });
    }
    if (!purpose_.local && with("decides at most once", 30)) {
      always("at most once", decides_at_most_once());
      always("at most once again", [](const View& view) {
        for (NodeId node : view.nodes()) {
          if (view.decisions(node).size() > 1) return false;
        }
        return true;
      });
    }
    if (!purpose_.local && with("every decision", 20)) {
      always("validity", every_decision<int>([](int v) { return v != 1; }));
    }
    if (with("eventually decides", 40)) {
      eventually("all decide", every_correct_node_decides());
      eventually("all decide, again", [](const View& view) {
        for (NodeId node : view.nodes()) {
          if (view.up(node) && view.decisions(node).empty()) return false;
        }
        return true;
      });
    }
  }

  void properties() {
    const int limit = static_cast<int>(below(5));
    if (!purpose_.local && with("always global", 30)) {
      always("sum", [limit](const View& view) { return sum_of_states(view) <= limit; });
      const size_t room = 1 + below(4);
      always("room", [room](const View& view) { return view.messages().size() <= room; });
      always("disks", [](const View& view) {
        for (NodeId node : view.nodes()) {
          if (saved_by(view, node) == 2 && !view.up(node)) return false;
        }
        return true;
      });
    }
    switch (main_kind_) {
      case kPlain:
        node_properties<Plain>();
        break;
      case kDeaf:
        node_properties<Deaf>();
        break;
      default:
        node_properties<Full>();
        break;
    }
    if (has("decide")) decision_properties();
    if (!purpose_.local && has("history") && with("linearizable", 70)) {
      always("linearizable", linearizable<RegisterSpec<char>>());
    }
    if (!purpose_.local && with("sometimes", 50)) {
      sometimes("sum is reached", [limit](const View& v) { return sum_of_states(v) == limit; });
      sometimes("all is quiet", [](const View& v) { return v.terminal(); });
    }
    if (with("eventually global", 40)) {
      eventually("quiet in the end", [limit](const View& view) {
        return view.messages().empty() && sum_of_states(view) >= limit / 2;
      });
    }
    // It holds wherever a run ends: all that is left to ask is whether every run does.
    if (purpose_.rounds) eventually("it ends", [](const View&) { return true; });
    if (with("no deadlock", 20)) {
      declare(Stage::kProperties, [limit](System& s) {
        s.no_deadlock([limit](const View& view) { return sum_of_states(view) <= limit + 1; });
      });
    }
    if (!purpose_.local && with("within", 20)) {
      const size_t room = 2 + below(4);
      declare(Stage::kFaults, [room](System& s) {
        s.within([room](const View& view) { return view.messages().size() <= room; });
      });
      if (chance(30)) {
        declare(Stage::kFaults, [limit](System& s) {
          s.within([limit](const View& view) { return sum_of_states(view) <= limit + 2; });
        });
      }
    }
  }

  Rng rng_;
  Purpose purpose_;
  Case out_;
  Declarations declarations_;
  int count_ = 1;
  int first_id_ = 1;
  int others_ = 0;
  Kind main_kind_ = kFull;
  Kind other_kind_ = kPlain;
  bool set_ = false;
  bool timed_ = false;
  bool fails_ = false;
  uint64_t busy_ = 2;
};

}  // namespace

Case generate(uint64_t seed, Purpose purpose) { return Generator(seed, purpose).generate(); }

}  // namespace ordeal::oracle
