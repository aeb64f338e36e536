#include "live/record.h"

namespace ordeal::live {

std::string show(const Record& record) {
  Action action;
  action.kind = record.kind;
  action.node = record.node;
  action.from = record.from;
  action.choices = record.choices;
  if (const std::string* timer = record.payload.try_get<std::string>();
      timer != nullptr && record.kind == ActionKind::kTimer) {
    action.type = *timer;
  } else if (!record.payload.empty()) {
    action.type = std::string(record.payload.type_name());
    action.payload = record.payload.tree();
  }
  return ordeal::show(action);
}

}  // namespace ordeal::live
