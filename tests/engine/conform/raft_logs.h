// Logs of this project's Raft, from seeded runs, and its specification with the mapper beside it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "base/file.h"
#include "base/rng.h"
#include "conform/system_log.h"
#include "conform/tla_log.h"
#include "explore/explain/walk.h"
#include "ordeal/check.h"
#include "protocols/testing.h"
#include "trace/event_log.h"

namespace ordeal::conform {

inline const std::string kSpecs = ORDEAL_SOURCE_DIR "/specs/";

inline std::shared_ptr<tla::Specification> raft_model(int servers) {
  tla::LoadOptions options;
  options.path = kSpecs + "Raft.tla";
  options.config = kSpecs + "RaftFollow.cfg";
  options.constants["Server"] = "1 .. " + std::to_string(servers);
  auto loaded = tla::Specification::load(options);
  EXPECT_TRUE(loaded.ok()) << loaded.error().message;
  return *loaded;
}

inline Conformance in_model(const std::string& log, int servers) {
  static const std::string mapper = *read_file(kSpecs + "Raft.mapper");
  std::istringstream lines(log);
  TlaLogOptions options;
  options.mapper = mapper;
  options.mapper_path = "Raft.mapper";
  Result<Conformance> found = follow_tla_log(raft_model(servers), lines, options, {});
  EXPECT_TRUE(found.ok()) << found.error().message;
  return found ? *found : Conformance();
}

inline Conformance in_system(const std::string& log, const protocols::testing::Given& given,
                             const std::string& bug = "") {
  const auto subject = protocols::testing::build("raft", given, bug);
  EXPECT_TRUE(subject.ok()) << subject.error().message;
  std::istringstream lines(log);
  SystemLogOptions options;
  options.name = "raft";
  Result<Conformance> found = follow_system_log(**subject, lines, options, {});
  EXPECT_TRUE(found.ok()) << found.error().message;
  return found ? *found : Conformance();
}

// Of a run of so many steps, each drawn among all that are enabled.
inline std::string random_log(const Checkable& subject, uint64_t seed, size_t steps) {
  Options options;
  options.seed = seed;
  options.states = true;
  explore::Walk walk(subject, options);
  EXPECT_TRUE(walk.go({}).ok());
  Rng rng(seed);
  while (walk.trace().steps.size() < steps && !walk.enabled().empty()) {
    if (!walk.take(static_cast<uint32_t>(rng.below(walk.enabled().size())))) break;
  }
  const Result<std::string> log = trace::to_event_log(walk.trace());
  EXPECT_TRUE(log.ok()) << log.error().message;
  return log ? *log : "";
}

}  // namespace ordeal::conform
