// Expressions of a mapper: `event.payload.term` in them is a name whose value is set for each
// event.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/tla/mapper/mapper.h"

namespace ordeal::tla {

// Every run of blanks and line breaks as one blank: for messages.
std::string on_one_line(std::string_view text);

class TermMaker {
 public:
  TermMaker(Mapper& mapper, Specification& spec, const std::string& path, const std::string& text)
      : mapper_(mapper), spec_(spec), path_(path), text_(text) {}

  // Of the characters from `begin` to `end`. `each`: a name that is bound besides; "" for none.
  Result<Term> make(size_t begin, size_t end, const std::string& each = "");
  // Of the condition made last: fields that must have a certain text.
  std::vector<std::pair<uint32_t, std::string>> texts() const { return texts_; }
  // What stands before it is blank, so that places are right.
  std::string only(size_t begin, size_t end) const;

 private:
  void rewrite(ExprRef& expr);
  void rewrite_parts(Expr& expr);
  void find_texts(const Expr& expr);
  ExprRef bind_names(ExprRef body, const std::string& each);

  Mapper& mapper_;
  Specification& spec_;
  const std::string& path_;
  const std::string& text_;
  std::vector<uint32_t> used_;  // fields, each once
  std::vector<std::pair<uint32_t, std::string>> texts_;
};

}  // namespace ordeal::tla
