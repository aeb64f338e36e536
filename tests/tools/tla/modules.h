// Specifications as files of a folder that is gone with the test, and the commands about them.
#pragma once

#include <fstream>
#include <string>

#include "tests/tools/cli/folder.h"

namespace ordeal::e2e {

class Modules {
 public:
  // Both are written; the path of the specification. `config` "": there is none.
  std::string add(const std::string& name, const std::string& body, const std::string& config) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path + ".tla") << "---- MODULE " << name << " ----\n" << body << "\n====\n";
    if (!config.empty()) std::ofstream(path + ".cfg") << config << "\n";
    return path + ".tla";
  }
  std::string file(const std::string& name) const { return folder_.path() + "/" + name; }

 private:
  Folder folder_;
};

// Two-phase commit without a resource manager that gives up by itself. TLC, version 2026, says of
// three of them: 251 distinct states, 890 generated.
inline constexpr const char* kCommit = R"(
CONSTANT RM
VARIABLES rm, tm, prepared, msgs
vars == <<rm, tm, prepared, msgs>>
Init == /\ rm = [r \in RM |-> "working"] /\ tm = "init" /\ prepared = {} /\ msgs = {}
Prepare(r) == /\ rm[r] = "working"
              /\ rm' = [rm EXCEPT ![r] = "prepared"]
              /\ msgs' = msgs \cup {[type |-> "prepared", rm |-> r]}
              /\ UNCHANGED <<tm, prepared>>
Hear(r) == /\ tm = "init" /\ [type |-> "prepared", rm |-> r] \in msgs
           /\ prepared' = prepared \cup {r}
           /\ UNCHANGED <<rm, tm, msgs>>
Commit == /\ tm = "init" /\ prepared = RM
          /\ tm' = "committed" /\ msgs' = msgs \cup {[type |-> "commit"]}
          /\ UNCHANGED <<rm, prepared>>
Abort == /\ tm = "init"
         /\ tm' = "aborted" /\ msgs' = msgs \cup {[type |-> "abort"]}
         /\ UNCHANGED <<rm, prepared>>
Obey(r) == \E m \in msgs :
             /\ m.type \in {"commit", "abort"}
             /\ rm' = [rm EXCEPT ![r] = IF m.type = "commit" THEN "committed" ELSE "aborted"]
             /\ UNCHANGED <<tm, prepared, msgs>>
Next == \/ Commit \/ Abort
        \/ \E r \in RM : Prepare(r) \/ Hear(r) \/ Obey(r)
Consistent == \A a, b \in RM : ~(rm[a] = "aborted" /\ rm[b] = "committed")
)";
inline constexpr const char* kCommitConfig =
    "CONSTANT RM = {r1, r2, r3}\nINIT Init\nNEXT Next\nINVARIANT Consistent\nCHECK_DEADLOCK "
    "FALSE\n";

}  // namespace ordeal::e2e
