// Text for people: escaping for every place it goes to, numbers with units, the nearest right word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ordeal/result.h"

namespace ordeal {

// The text with every byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

// For a terminal: one line, without anything that a terminal obeys instead of showing it. A newline
// becomes "\n", an escape "\x1b", a turn of the direction of writing "\u202e". Every text that
// comes from elsewhere (a trace, a log, a history, a subject, the command line) goes through this
// where it becomes a part of a line.
std::string one_line(std::string_view text);

// For a terminal: a text of several lines as it goes out, the last thing that happens to it. As
// one_line, but line breaks stay; with `colours` those of the program stay too ("\x1b[1;31m").
std::string for_terminal(std::string_view text, bool colours = false);

// For HTML, SVG and XML, in text and in quoted attributes. Characters that XML forbids become
// U+FFFD.
std::string escape_markup(std::string_view text);

// For messages about a text: in quotes, shortened, with everything unprintable escaped.
std::string quoted_for_message(std::string_view text);

// For a POSIX shell: the word as it is, or quoted.
std::string shell_word(std::string_view text);

// "paxos/scenarios.cc" of a longer path: enough for people to know which file is meant, and the
// same wherever the sources lie.
std::string short_path(std::string_view path);

// How many code points: what a terminal shows as columns, for the characters used here.
size_t columns_of(std::string_view text);
// Cut to at most `columns` code points, the last of which is then "…". REQUIRES: columns > 0.
std::string cut_to(std::string_view text, size_t columns);
// Broken at spaces into lines of at most `columns` code points; a longer word stays whole.
std::vector<std::string> wrapped(std::string_view text, size_t columns);

// The lines of a text that are not empty, without their ends.
std::vector<std::string> lines_of(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
// "1", "1 and 2", "1, 2 and 3".
std::string enumeration(const std::vector<int>& numbers);
std::string enumeration(const std::vector<std::string>& words);

std::string grouped(uint64_t number);                          // 1,234,567
std::string counted(uint64_t number, std::string_view thing);  // "1 step", "2,000 steps"
std::string seconds_text(double seconds);                      // 0.031 s, 12.5 s, 3 min 20 s
std::string bytes_text(uint64_t bytes);                        // 512 B, 3.2 MiB

// A whole number within a range. The Error says `name`, what was given, and what is allowed.
Result<uint64_t> parse_number(const std::string& name, const std::string& text, uint64_t least,
                              uint64_t most);

// Insertions, deletions, replacements and swaps of neighbours from one word to the other.
size_t edit_distance(std::string_view a, std::string_view b);
// The candidate that was most likely meant; none if all are far away.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);
// At most `most` of the candidates, those first that were most likely meant: that contain the word,
// then by edit distance.
std::vector<std::string> nearest_few(std::string_view word,
                                     const std::vector<std::string>& candidates, size_t most);
// " (did you mean 'bfs'?)", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         std::string_view prefix = "");

}  // namespace ordeal
