// Which program this is: what a checkpoint of it means nothing to another.
#pragma once

#include <string>

namespace ordeal {

// The same as long as nothing of the running program was built anew; hexadecimal. Libraries of the
// operating system do not count.
std::string program_identity();

}  // namespace ordeal
