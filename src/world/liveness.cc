#include "ordeal/liveness.h"

#include "ordeal/detail/model_space.h"

namespace ordeal::detail {

std::string assumption_of_model(const std::vector<FairAction>& fair, Owed each,
                                const std::vector<std::string>& assumed) {
  const auto how = [](Owed owed) {
    return owed == Owed::kStrongly ? "it is taken in the end where it is enabled again and again"
                                   : "it is taken in the end where it stays enabled";
  };
  std::string out;
  const auto add = [&](const std::string& what) { out += (out.empty() ? "" : "; ") + what; };
  for (const FairAction& one : fair) {
    if (one.owed != Owed::kNothing) add(one.name + ": " + how(one.owed));
  }
  if (each != Owed::kNothing) add(std::string("each action by itself: ") + how(each));
  for (const std::string& words : assumed) add(words);
  if (out.empty()) out = "nothing is owed to any action: a run may take any way again and again";
  return out;
}

}  // namespace ordeal::detail
