// Reads the project's Markdown documents as far as the tests need: fenced blocks with the comment
// before them, and what is outside of them.
#pragma once

#include <string>
#include <vector>

namespace ordeal::docs {

using Lines = std::vector<std::string>;

struct Block {
  int line = 0;          // of the opening fence, from 1
  std::string language;  // "cpp", "console", …
  std::string mark;      // "from …", "run: …": the comment on the line before; empty: none
  Lines lines;
};

struct Document {
  std::string path;  // from the root of the repository, with '/'
  std::string text;
  std::vector<Block> blocks;
  Lines prose;  // the lines outside of blocks; a line of a block is empty here
};

Lines lines_of(const std::string& text);
std::string read_file(const std::string& path);
Document parse(const std::string& path, const std::string& text);
// Every *.md file of the repository, in the order of their paths.
std::vector<Document> documents();
std::string place(const Document& document, int line);  // "docs/x.md:12"

// The lines between "[tag]" and "[/tag]" in comments of their own, without common indentation; all
// lines where there is no tag. Empty: the text has no such region.
Lines region(const std::string& text, const std::string& tag);

// The anchors of a document's headings, as GitHub makes them.
std::vector<std::string> anchors(const Document& document);

// Where `shown` differs from `actual`, for people; empty: nowhere. A line "…" in `shown` stands for
// any number of lines. Times, rates, memory and numbers of threads are not compared, nor are the
// counts of a search that was cut short.
std::string difference(const Lines& shown, const Lines& actual);

}  // namespace ordeal::docs
