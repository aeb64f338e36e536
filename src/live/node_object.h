// NodeObject: the object that a node (or component) is in a live run, and calling its handlers. One
// thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "live/record.h"
#include "ordeal/context.h"
#include "ordeal/system.h"
#include "system/actor/parts.h"

namespace ordeal::live {

// What a handler did.
struct Ran {
  std::vector<Effect> effects;
  std::vector<uint32_t> choices;
  std::vector<Asked> asked;
  std::string failure;        // not empty: the object may be broken, and is not used again
  bool audited = false;       // state_digest is known
  uint64_t state_digest = 0;  // of the state afterwards, as the simulator has it
};

class NodeObject {
 public:
  NodeObject(const detail::NodeDeclaration& declared, NodeId id, const std::vector<NodeId>& peers,
             const std::vector<NodeId>& group)
      : declared_(declared), id_(id), peers_(peers), group_(group) {}
  ~NodeObject() { destroy(); }
  NodeObject(const NodeObject&) = delete;
  NodeObject& operator=(const NodeObject&) = delete;

  // As from the factory.
  void renew();
  // Calls the handler of `event`; `from` is the id of its sender, -1: none. `answer(n)` answers
  // choose(n).
  Ran run(const actor::Event& event, int from, const value::Any& disk,
          const std::function<uint32_t(uint32_t)>& answer);
  bool is_opaque() const { return !declared_.make_value; }

 private:
  void destroy();
  void look(Ran& ran) const;

  const detail::NodeDeclaration& declared_;
  const NodeId id_;
  const std::vector<NodeId>& peers_;
  const std::vector<NodeId>& group_;
  void* object_ = nullptr;
};

}  // namespace ordeal::live
