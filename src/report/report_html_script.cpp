#include "report/report_html_sections.h"

namespace loadline {

// Everything here is an addition: without it the page reads the same. It builds its own controls, so that a reader
// without script sees no dead button.
std::string page_script() {
  return R"js("use strict";
(function () {
  // Figures: the point under the mouse, or chosen by arrow keys, tells its numbers in the line below.
  document.querySelectorAll(".plot").forEach(function (plot) {
    var status = plot.nextElementSibling;
    status.textContent = "Point at a mark, or use the arrow keys, to read its numbers.";
    function choose(point) {
      plot.querySelectorAll(".chosen").forEach(function (old) { old.classList.remove("chosen"); });
      if (!point) return;
      point.classList.add("chosen");
      status.textContent = point.getAttribute("data-info");
    }
    plot.addEventListener("pointerover", function (event) {
      var point = event.target.closest && event.target.closest(".point");
      if (point) choose(point);
    });
    plot.addEventListener("click", function (event) {
      var point = event.target.closest && event.target.closest(".point");
      if (point) choose(point);
    });
    plot.querySelectorAll("svg").forEach(function (svg) {
      var points = Array.prototype.slice.call(svg.querySelectorAll(".point"));
      if (points.length === 0) return;
      svg.setAttribute("tabindex", "0");
      svg.setAttribute("aria-label", svg.getAttribute("aria-label") + " Left and right arrow keys step through the points.");
      svg.addEventListener("keydown", function (event) {
        var step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        var at = points.findIndex(function (p) { return p.classList.contains("chosen"); });
        if (event.key === "Escape") { choose(null); status.textContent = ""; return; }
        if (event.key === "Home") { at = 0; step = 0; }
        if (event.key === "End") { at = points.length - 1; step = 0; }
        if (step === undefined) return;
        event.preventDefault();
        if (at < 0) at = step > 0 ? -1 : points.length;
        choose(points[Math.max(0, Math.min(points.length - 1, at + step))]);
      });
    });
  });

  // Tables: sort by a column. Absent numbers stay last in both directions.
  function key(row, column) {
    var cell = row.cells[column];
    if (cell.classList.contains("absent")) return null;
    var number = cell.getAttribute("data-v");
    return number === null ? cell.textContent.trim() : Number(number);
  }
  function sort(table, column, down) {
    var body = table.tBodies[0];
    Array.prototype.slice.call(body.rows).sort(function (a, b) {
      var x = key(a, column), y = key(b, column);
      if (x === null || y === null) return (x === null) - (y === null);
      var order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
      return down ? -order : order;
    }).forEach(function (row) { body.appendChild(row); });
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    heads.forEach(function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, down);
      });
    });
  });

  // Copy a table as CSV: plain numbers, an absent number is an empty field.
  function field(cell) {
    if (cell.classList.contains("absent")) return "";
    var number = cell.getAttribute("data-v");
    var copy = cell.cloneNode(true);
    copy.querySelectorAll("sup").forEach(function (mark) { mark.remove(); });
    var text = copy.textContent.trim();
    // A heading keeps its unit ("8 users", "8 req/s"), an interval its ends.
    if (number !== null && cell.tagName === "TD" && !/^[\[≥≤]/.test(text)) return number;
    if (/^\s*[=+\-@]/.test(text)) text = "'" + text;
    return /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  }
  function csv(table) {
    return Array.prototype.map.call(table.rows, function (row) {
      return Array.prototype.map.call(row.cells, field).join(",");
    }).join("\n") + "\n";
  }
  function copyByHand(text) {
    var area = document.createElement("textarea");
    area.value = text;
    document.body.appendChild(area);
    area.select();
    var done = document.execCommand("copy");
    area.remove();
    return done ? Promise.resolve() : Promise.reject();
  }
  function copy(text) {
    if (!navigator.clipboard) return copyByHand(text);
    return navigator.clipboard.writeText(text).catch(function () { return copyByHand(text); });
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy as CSV";
    button.setAttribute("aria-label", "Copy as CSV: " + table.caption.textContent);
    table.closest(".table").appendChild(button);
    button.addEventListener("click", function () {
      copy(csv(table)).then(function () { button.textContent = "Copied"; },
                            function () { button.textContent = "The browser refused"; });
      setTimeout(function () { button.textContent = "Copy as CSV"; }, 2000);
    });
  });

  // Paper has no clicks: everything is open while printing.
  var closed = [];
  addEventListener("beforeprint", function () {
    closed = Array.prototype.slice.call(document.querySelectorAll("details:not([open])"));
    closed.forEach(function (part) { part.open = true; });
  });
  addEventListener("afterprint", function () { closed.forEach(function (part) { part.open = false; }); });
})();
)js";
}

}  // namespace loadline
