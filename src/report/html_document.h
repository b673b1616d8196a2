#pragma once
// The frame of every page: one file, nothing from elsewhere, and a content security policy that lets nothing run but
// the page's own style and script.

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// A whole page. `title` is any text, escaped here; `body` is HTML that is safe already.
std::string html_document(std::string_view title, std::string_view body);

/// A section of a page, reached from its table of contents; left out where `html` is empty.
struct PagePart {
  const char* id;
  const char* name;
  std::string html;
};

/// The body of a page: masthead and first screen, safe already; the contents and the parts; a footer with the words
/// `made`, any text.
std::string page_frame(std::string_view masthead, std::string_view first_screen, const std::vector<PagePart>& parts,
                       std::string_view made);

}  // namespace loadline
