#include "system/scenario/shapes.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace ordeal::monitor {
namespace {

using Kind = Condition::Kind;

// Nodes that the question cannot tell apart stand for each other; two of each are enough, one to
// send and one to receive.
std::vector<const Cast::Member*> representatives(const Question& question,
                                                 const Scenario::Declaration& scenario,
                                                 const Cast& cast) {
  std::set<NodeId> named;
  const auto note = [&](const Condition& c) {
    if (!c.node().who.is_drawn()) named.insert(c.node().who.id());
    if (!c.node().other.is_drawn()) named.insert(c.node().other.id());
  };
  for (const Condition& condition : question.all) for_each_inside(condition, note);
  for (const Condition& condition : question.without) for_each_inside(condition, note);

  using Likes = std::tuple<const void*, std::vector<const value::Type*>,
                           std::vector<const value::Type*>, bool, bool, std::vector<int>>;
  std::map<Likes, int> seen;
  std::vector<const Cast::Member*> out;
  for (const Cast::Member& member : cast.members) {
    std::vector<int> places;
    for (const Scenario::Draw& draw : scenario.draws) {
      places.push_back(
          static_cast<int>(std::count(draw.among.begin(), draw.among.end(), member.id)));
    }
    for (const Scenario::PartitionDeclaration& partition : scenario.partitions) {
      int place = -1;
      for (size_t k = 0; k < partition.blocks.size(); ++k) {
        const std::vector<NodeId>& block = partition.blocks[k];
        if (std::find(block.begin(), block.end(), member.id) != block.end()) {
          place = static_cast<int>(k);
        }
      }
      places.push_back(place);
    }
    int& like = seen[Likes{member.state, member.messages, member.requests, member.may_crash,
                           member.component, places}];
    if (named.contains(member.id) || ++like <= 2) out.push_back(&member);
  }
  return out;
}

// Calls `visit` with everything that the cast allows, until it says true.
class Shapes {
 public:
  Shapes(const Question& question, const Cast& cast, std::vector<const Cast::Member*> members,
         bool anybody_sends)
      : question_(question),
        cast_(cast),
        members_(std::move(members)),
        anybody_sends_(anybody_sends) {
    const auto note = [&](const Condition& c) {
      if (c.node().kind == Kind::kPayloadType || c.node().kind == Kind::kMessageType) {
        told_.push_back({c.node().name, c.node().type});
      }
    };
    for (const Condition& condition : question.all) for_each_inside(condition, note);
    for (const Condition& condition : question.without) for_each_inside(condition, note);
    told_.push_back({"", nullptr});
  }

  bool any_of(const std::function<bool(const Shape&)>& visit) const {
    for (int k = 0; k < kEventKinds; ++k) {
      const auto kind = static_cast<EventKind>(k);
      if (question_.kinds.test(static_cast<size_t>(k)) && any_of(kind, visit)) return true;
    }
    return false;
  }

 private:
  using Visit = std::function<bool(const Shape&)>;

  static Content content_of(const value::Type* type) { return {type->name(), type}; }
  bool fits(const Content& content) const {
    return question_.type == nullptr ||
           (content.type != nullptr && content.type->same_as(*question_.type));
  }

  bool any_of(EventKind kind, const Visit& visit) const {
    switch (kind) {
      case EventKind::kSend:
      case EventKind::kReceive:
      case EventKind::kDrop:
      case EventKind::kDuplicate:
      case EventKind::kPost:
      case EventKind::kPosted:
        return any_transfer(kind, visit);
      case EventKind::kSubmit:
      case EventKind::kRequest:
        for (const Cast::Member* member : members_) {
          for (const value::Type* type : member->requests) {
            if (one({kind, member->id, -1, member->id, content_of(type)}, visit)) return true;
          }
        }
        return false;
      case EventKind::kNotice:
      case EventKind::kDetect:
      case EventKind::kRestore:
      case EventKind::kSuspect:
        return any_notice(kind, visit);
      case EventKind::kPartition:
      case EventKind::kHeal:
        return !cast_.is_model && one({kind, -1, -1, -1, {}}, visit);
      case EventKind::kStep:
        return cast_.is_model && one({kind, -1, -1, -1, {}}, visit);
      case EventKind::kEnd:
        return one({kind, -1, -1, -1, {}}, visit);
      default:
        return any_at_node(kind, visit);
    }
  }

  bool one(const Shape& shape, const Visit& visit) const {
    return fits(shape.content) && visit(shape);
  }

  // Where it happens: what is lost or doubled is at nobody.
  static NodeId place(EventKind kind, NodeId from, NodeId to) {
    if (kind == EventKind::kDrop || kind == EventKind::kDuplicate) return -1;
    return kind == EventKind::kReceive || kind == EventKind::kPosted ? to : from;
  }

  // Messages between nodes; anybody may post to anybody.
  bool any_transfer(EventKind kind, const Visit& visit) const {
    const bool posted = kind == EventKind::kPost || kind == EventKind::kPosted;
    for (const Cast::Member* from : members_) {
      if (from->component && !posted && !anybody_sends_) continue;
      for (const Cast::Member* to : members_) {
        if (to->component && !posted) continue;
        for (const value::Type* type : to->messages) {
          const Content content = content_of(type);
          if (one({kind, place(kind, from->id, to->id), from->id, to->id, content}, visit)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  bool any_notice(EventKind kind, const Visit& visit) const {
    for (const Cast::Member* about : members_) {
      for (const Cast::Member* told : members_) {
        if (about->component || told->component) continue;
        if (one({kind, told->id, about->id, told->id, {}}, visit)) return true;
        if (one({kind, told->id, about->id, -1, {}}, visit)) return true;
      }
    }
    return false;
  }

  // Timers, crashes, decisions, operations, log lines. The types of decisions and operations are
  // nowhere declared: any that the question names, and one that it does not.
  bool any_at_node(EventKind kind, const Visit& visit) const {
    const bool carries =
        kind == EventKind::kDecide || kind == EventKind::kInvoke || kind == EventKind::kReturn;
    for (const Cast::Member* member : members_) {
      if (kind == EventKind::kCrash && !member->may_crash) continue;
      if (kind == EventKind::kRecover && !(member->may_crash && cast_.recoveries)) continue;
      if (!carries) {
        if (one({kind, member->id, -1, -1, {}}, visit)) return true;
        continue;
      }
      for (const Content& content : told_) {
        if (one({kind, member->id, -1, -1, content}, visit)) return true;
      }
    }
    return false;
  }

  const Question& question_;
  const Cast& cast_;
  std::vector<const Cast::Member*> members_;
  bool anybody_sends_;
  std::vector<Content> told_;
};

}  // namespace

bool any_shape(const Question& question, const Scenario::Declaration& scenario, const Cast& cast,
               bool anybody_sends, const std::function<bool(const Shape&)>& visit) {
  const Shapes shapes(question, cast, representatives(question, scenario, cast), anybody_sends);
  return shapes.any_of(visit);
}

}  // namespace ordeal::monitor
