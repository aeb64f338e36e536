#include "live/budget.h"

#include <fmt/format.h>

namespace ordeal::live {

Budget::Budget(const detail::Declaration& declared)
    : crashes_(declared.crashes), recoveries_(declared.recoveries), drops_(declared.drops) {
  for (const NodeId node : declared.may_crash) may_crash_.insert(node.value);
  for (const auto& [node, request] : declared.requests) ++requests_[{node.value, request.hash()}];
  if (declared.timed) exceeded_ = "timers fired as the time went, not in the order of virtual time";
}

void Budget::spend(uint32_t& left, const std::string& what) {
  if (left > 0) {
    --left;
  } else if (exceeded_.empty()) {
    exceeded_ = what;
  }
}

void Budget::take(const Record& record) {
  switch (record.kind) {
    case ActionKind::kCrash: {
      uint32_t none = 0;
      const bool may = may_crash_.contains(record.node);
      spend(may ? crashes_ : none, fmt::format("node {} crashed", record.node));
      break;
    }
    case ActionKind::kRecover:
      spend(recoveries_, fmt::format("node {} came back", record.node));
      break;
    case ActionKind::kDrop:
      spend(drops_, fmt::format("a message from {} to {} was lost", record.from, record.node));
      break;
    case ActionKind::kRequest:
      spend(requests_[{record.node, record.payload.hash()}],
            fmt::format("a request of node {} was made again", record.node));
      break;
    default:
      break;
  }
}

}  // namespace ordeal::live
