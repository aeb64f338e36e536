// Specifications in TLA+ as subjects: their names are the paths of their files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ordeal/result.h"
#include "ordeal/suite.h"

namespace ordeal {

namespace tla {
class Specification;
}

// "dir/Spec.tla".
bool names_specification(const std::string& name);

// What every specification takes: configuration, constants, where modules are.
const std::vector<Parameter>& specification_parameters();

// The subject that the specification is; always the same for the same name. An Error: there is no
// such file. What is wrong in it is an error of its builder.
Result<const Subject*> specification_subject(const std::string& name);

// The specification itself, with these values of its parameters.
Result<std::shared_ptr<tla::Specification>> load_specification(const std::string& path,
                                                               const Arguments& arguments);

// The specifications of a directory that can be checked, in the order of their names: those with a
// configuration beside them. An Error: it cannot be read.
Result<std::vector<std::string>> specifications_in(const std::string& directory);

}  // namespace ordeal
