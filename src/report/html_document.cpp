#include "report/html_document.h"

#include <fmt/format.h>

#include <cstdint>

#include "report/escape.h"
#include "report/report_html_sections.h"

namespace loadline {
namespace {

/// FNV-1a: names this page's own style and script to the policy, so that nothing else inline is run. It need not be a
/// secret from the reader, only unknown to whoever wrote a text that the page shows: it depends on the whole page.
std::string page_nonce(std::string_view body) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : body) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::string html_document(std::string_view title, std::string_view body) {
  const std::string nonce = page_nonce(body);
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'nonce-{0}'; "
      "script-src 'nonce-{0}'; base-uri 'none'; form-action 'none'\">\n",
      nonce);
  page +=
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n";
  page += "<title>" + escape_html(title) + "</title>\n";
  page += fmt::format("<style nonce=\"{}\">\n{}</style>\n</head>\n<body>\n", nonce, page_style());
  page += body;
  return page + fmt::format("<script nonce=\"{}\">\n{}</script>\n</body>\n</html>\n", nonce, page_script());
}

std::string page_frame(std::string_view masthead, std::string_view first_screen, const std::vector<PagePart>& parts,
                       std::string_view made) {
  std::string body = fmt::format(
      "<a class=\"skip\" href=\"#main\">To the result</a>\n<div class=\"page\">\n{}<main id=\"main\">\n{}"
      "<nav class=\"contents\" aria-label=\"Contents\">\n",
      masthead, first_screen);
  for (const PagePart& part : parts) {
    if (!part.html.empty()) body += fmt::format("<a href=\"#{}\">{}</a>\n", part.id, part.name);
  }
  body += "</nav>\n<div class=\"body\">\n";
  for (const PagePart& part : parts) body += part.html;
  return body +
         fmt::format(
             "</div>\n</main>\n<footer>{} – marks a number that does not exist; it is never 0.</footer>\n</div>\n",
             escape_html(made));
}

}  // namespace loadline
