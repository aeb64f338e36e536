// Files that operators read and write.
#pragma once

#include <optional>
#include <string>

#include "language/tla/library/arguments.h"

namespace ordeal::tla {

// The path that an argument names: as seen from the directory of the specification or, where
// nothing is there, from the working directory.
std::string file_to_read(const BuiltinCall& call, std::string_view name, size_t at);
// Nothing: there is no such file. Fails where it cannot be read.
std::optional<std::string> text_of_file(const BuiltinCall& call, std::string_view name, size_t at);
// The same where it must be there.
std::string need_text_of_file(const BuiltinCall& call, std::string_view name, size_t at);

enum class Writing : uint8_t { kAnew, kAppended };

// Says why a file was not written; "": it was.
std::string try_write(BuiltinCall& call, std::string_view name, size_t at, const std::string& text,
                      Writing how);
// Fails where that is not possible, or not allowed.
void write(BuiltinCall& call, std::string_view name, size_t at, const std::string& text,
           Writing how);

// "TRUE", "<<1, {\"a\"}>>", "[a |-> 1]", "(1 :> 2 @@ 3 :> 4)": what to_text() writes, as a value
// again. Fails with the reason, beginning with `what`.
Value value_of_text(Heap& heap, const std::string& what, const std::string& text);

}  // namespace ordeal::tla
