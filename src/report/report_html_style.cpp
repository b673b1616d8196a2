#include <fmt/format.h>

#include "report/report_html_sections.h"
#include "report/svg_style.h"

namespace loadline {
namespace {

std::string colour_variables(const Palette& p) {
  return fmt::format(
      ":root{{--paper:{};--panel:{};--ink:{};--muted:{};--rule:{};--grid:{};--accent:{};--good:{};--bad:{};--warn:{}}}\n",
      p.paper, p.panel, p.ink, p.muted, p.rule, p.grid, p.closed, p.good, p.bad, p.bound);
}

constexpr const char* page_rules = R"css(
:root{color-scheme:light dark}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums lining-nums}
.page{max-width:1240px;margin:0 auto;padding:0 28px 56px}
.skip{position:absolute;left:-999px}
.skip:focus{left:8px;top:8px;background:var(--paper);padding:4px 8px}
a{color:var(--accent)}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.masthead{display:flex;flex-wrap:wrap;gap:4px 20px;align-items:baseline;padding:14px 0 8px;border-bottom:2px solid var(--ink);font-size:13px;color:var(--muted)}
.masthead b{color:var(--ink);font-size:15px;letter-spacing:.01em}
.masthead span{overflow-wrap:anywhere}
.answer{padding:14px 0 12px}
.answer h1{font-size:25px;line-height:1.28;font-weight:600;margin:8px 0 6px;letter-spacing:-.008em;max-width:52em;overflow-wrap:anywhere}
.state{float:right;margin:0 0 4px 16px}
.decision{margin:0;color:var(--muted);font-size:14px;display:flex;flex-wrap:wrap;gap:2px 22px}
.decision b{color:var(--ink);font-weight:600}
.sizing{margin:4px 0;max-width:62em}
.badge{display:inline-block;border:1.5px solid;padding:0 9px;font-size:13px;font-weight:600;line-height:22px;border-radius:2px;white-space:nowrap}
.badge.good{color:var(--good)}.badge.bad{color:var(--paper);background:var(--bad);border-color:var(--bad)}.badge.plain{color:var(--warn)}
.notice{margin:6px 0;padding:3px 0 3px 12px;border-left:3px solid var(--warn);max-width:70em;overflow-wrap:anywhere}
.finding{margin:6px 0;padding:3px 0 3px 12px;border-left:3px solid var(--accent);max-width:60em;font-size:16px}
.quiet{color:var(--muted)}
.first{display:grid;grid-template-columns:minmax(0,21fr) minmax(0,44fr);gap:8px 36px;border-top:1px solid var(--rule);padding-top:12px}
.readings{margin:0;display:grid;grid-template-columns:1fr 1fr;gap:0 20px}
.readings .main{grid-column:1/-1}
.readings>div{padding:7px 0;border-bottom:1px solid var(--grid)}
.readings dt{font-size:13px;color:var(--muted)}
.readings dd{margin:0;line-height:1.25}
.readings b{font-size:20px;font-weight:600}
.readings .main b{font-size:36px;letter-spacing:-.015em}
.readings span{color:var(--muted)}
.readings small{display:block;font-size:13px;color:var(--muted);margin-top:2px}
.readings .main small{color:var(--ink)}
h2{font-size:17px;font-weight:600;margin:0 0 8px}
h2 small{font-size:13px;font-weight:400;color:var(--muted);margin-left:6px}
h3{font-size:15px;margin:18px 0 6px}
.side h2{font-size:15px;margin:16px 0 4px}
.doubts{list-style:none;margin:0;padding:0;font-size:13.5px;line-height:1.42}
.doubts li{padding:4px 0 4px 11px;border-left:3px solid var(--rule);margin:0 0 4px;overflow-wrap:anywhere}
.doubts li.invalidates{border-color:var(--bad)}
.doubts li.invalidates>code,.doubts li.invalidates summary>code{color:var(--bad);font-weight:700}
.doubts ul{list-style:none;padding:2px 0 0;margin:0}
.doubts ul li{border:0;padding:1px 0;margin:0}
.where{font-weight:600;white-space:nowrap}
.where::after{content:":"}
.contents{border-top:1px solid var(--rule);border-bottom:1px solid var(--rule);margin:18px 0 0;padding:6px 0;font-size:14px;display:flex;flex-wrap:wrap;gap:2px 18px}
.contents a{text-decoration:none}
.contents a:hover{text-decoration:underline}
.body section{padding:26px 0 0}
.body h2{border-bottom:1px solid var(--rule);padding-bottom:4px}
.plot svg{display:block;width:100%;height:auto}
.plot svg.narrow{display:none}
.status{min-height:1.5em;margin:2px 0 4px;font-size:13.5px;color:var(--ink)}
summary{cursor:pointer;color:var(--accent);font-size:14px}
.doubts summary{color:var(--ink)}
.table{margin:14px 0 18px}
.scroll{overflow-x:auto;overscroll-behavior-x:contain}
table{border-collapse:collapse;font-size:13.5px;line-height:1.35}
caption{text-align:left;font-weight:600;padding:0 0 5px;font-size:14px;white-space:nowrap}
th,td{padding:4px 14px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid);max-width:34em;overflow-wrap:break-word}
th:last-child,td:last-child{padding-right:2px}
thead th{font-weight:400;color:var(--muted);vertical-align:bottom;border-bottom:1px solid var(--rule);max-width:8.6em;font-size:13px}
tbody th{font-weight:600;white-space:nowrap}
tbody th:first-child{position:sticky;left:0;background:var(--paper)}
th.n,td.n{text-align:right;white-space:nowrap}
thead th.n{white-space:normal}
tbody tr:hover>*{background:var(--panel)}
td.absent{color:var(--muted)}
sup{font-size:10px;line-height:0;color:var(--muted);margin-left:1px}
.absences{font-size:12.5px;color:var(--muted);margin:5px 0 0;max-width:80em}
thead button{all:unset;cursor:pointer;display:inline}
thead button:hover{color:var(--ink);text-decoration:underline}
thead button:focus-visible{outline:2px solid var(--accent)}
th[aria-sort=ascending] button::after{content:" ▲"}
th[aria-sort=descending] button::after{content:" ▼"}
.copy{font:inherit;font-size:12.5px;margin-top:6px;padding:2px 9px;color:var(--muted);background:none;border:1px solid var(--rule);border-radius:2px;cursor:pointer}
.copy:hover{color:var(--ink);border-color:var(--muted)}
.pairs,.method{display:grid;grid-template-columns:1fr;gap:0;margin:8px 0;max-width:74em}
.pairs>div,.method>div{display:grid;grid-template-columns:13.5em minmax(0,1fr);gap:0 16px;padding:3px 0;border-bottom:1px solid var(--grid)}
.pairs dt,.method dt{color:var(--muted)}
.method dt{color:var(--ink);font-weight:600}
.pairs dd,.method dd{margin:0;overflow-wrap:anywhere}
.list{padding-left:18px}
.notice.bad{border-color:var(--bad)}.notice.bad b{color:var(--bad)}
pre{background:var(--panel);border:1px solid var(--grid);padding:10px 12px;overflow-x:auto;margin:8px 0}
pre.command{white-space:pre-wrap;overflow-wrap:anywhere}
footer{margin-top:36px;border-top:1px solid var(--rule);padding-top:8px;font-size:13px;color:var(--muted)}
@media (max-width:980px){.first{grid-template-columns:minmax(0,1fr)}.first .figure-box{order:-1}}
@media (max-width:600px){
.page{padding:0 14px 40px}
.answer h1{font-size:20px}
.state{float:none;margin:0 0 6px}
.plot svg.wide{display:none}.plot svg.narrow{display:block}
.pairs>div,.method>div{grid-template-columns:1fr}
.contents{gap:6px 16px}
th,td{padding-right:11px}
caption{white-space:normal}
}
)css";

constexpr const char* print_rules = R"css(
@page{margin:14mm 12mm}
@media print{
body{font-size:10.5pt}
.page{max-width:none;padding:0}
.skip,.contents,.copy,.status{display:none}
.scroll{overflow:visible}
table{font-size:8.2pt;width:100%}
thead th{font-size:7.8pt}
th,td{padding-right:6px;white-space:normal}
tbody th:first-child{position:static}
thead{display:table-header-group}
tr,.plot,figure,.readings>div,.doubts>li{break-inside:avoid}
h2,h3,caption{break-after:avoid}
details::details-content{content-visibility:visible;display:block}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
.first{grid-template-columns:minmax(0,1fr)}
.first .figure-box{order:-1}
}
)css";

}  // namespace

std::string page_style() {
  // Paper is white: the light colours hold for print whatever the screen prefers.
  return colour_variables(light_palette) + figure_style(light_palette) +
         "@media screen and (prefers-color-scheme:dark){\n" + colour_variables(dark_palette) +
         figure_style(dark_palette) + "}\n" + page_rules + print_rules;
}

}  // namespace loadline
