// TypeNames: what the messages and requests of a system are called where people see them. A short
// name that several of them share is given with as much of its scope as tells them apart.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ordeal/value.h"

namespace ordeal {

struct Cast;

class TypeNames {
 public:
  TypeNames() = default;
  explicit TypeNames(const std::vector<const value::Type*>& types);
  explicit TypeNames(const Cast& cast);

  // "Vote"; "x::Vote" where there is a y::Vote, too; "Signed<Prepare>" beside a "Signed<Commit>".
  std::string of(const value::Type& type) const;
  std::string of(const value::Any& value) const {
    return value.empty() ? std::string() : of(*value.type());
  }
  // The value for people, under that name.
  value::Tree tree(const value::Any& value) const;

 private:
  // Those whose short name is not theirs alone.
  std::vector<std::pair<const value::Type*, std::string>> longer_;
  std::vector<const value::Type*> types_;
};

}  // namespace ordeal
