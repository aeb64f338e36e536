// Budget: whether a live run had more faults than its system declares. What must come eventually is
// promised only within them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "live/record.h"
#include "ordeal/system.h"

namespace ordeal::live {

class Budget {
 public:
  // Of the system as it was declared, without free faults.
  explicit Budget(const detail::Declaration& declared);

  void take(const Record& record);
  // What the declaration does not allow, the first of it: "node 1 crashed". "": nothing.
  const std::string& exceeded() const { return exceeded_; }

 private:
  void spend(uint32_t& left, const std::string& what);

  std::set<int> may_crash_;
  uint32_t crashes_;
  uint32_t recoveries_;
  uint32_t drops_;
  std::map<std::pair<int, uint64_t>, uint32_t> requests_;  // by node and content: so many
  std::string exceeded_;
};

}  // namespace ordeal::live
