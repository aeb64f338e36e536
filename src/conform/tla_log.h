// Logs against specifications.
#pragma once

#include <istream>
#include <memory>
#include <string>

#include "conform/conformance.h"
#include "language/tla/model/specification.h"
#include "ordeal/result.h"

namespace ordeal::conform {

struct TlaLogOptions {
  std::string mapper;       // the text of the mapper
  std::string mapper_path;  // "": there is none, events name actions and variables themselves
  // The states of a log are forgotten when they take more than this, but for those that are
  // possible.
  uint64_t pool_bytes = uint64_t{128} << 20;
};

// An Error: the mapper is not for this specification, or nobody can say what a line means.
// REQUIRES: the specification is used by nobody else meanwhile.
Result<Conformance> follow_tla_log(std::shared_ptr<tla::Specification> specification,
                                   std::istream& log, const TlaLogOptions& tla,
                                   const ConformOptions& options);

}  // namespace ordeal::conform
