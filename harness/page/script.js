"use strict";
// Sorting, filtering, and what a drawing shows where the pointer or the focus is. Without it the page says the same.
const sortValue = (row, column) => {
  const cell = row.cells[column];
  const key = cell === undefined ? undefined : cell.dataset.key;
  const text = cell === undefined ? "" : cell.textContent.trim();
  const number = key === undefined ? Number(text.replaceAll(/[ \u202f]/g, "")) : Number(key);
  return {text, number: text === "" ? NaN : number};
};
const compare = (a, b) => {
  const numbers = [a.number, b.number].map((value) => !Number.isNaN(value));
  if (numbers[0] && numbers[1]) return a.number - b.number;
  if (numbers[0] !== numbers[1]) return numbers[0] ? -1 : 1;
  return a.text.localeCompare(b.text, "en", {numeric: true});
};
const sortBy = (table, column) => {
  const head = table.tHead.rows[0].cells[column];
  const falls = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", falls ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({row, value: sortValue(row, column)}));
  rows.sort((a, b) => (falls ? compare(b.value, a.value) : compare(a.value, b.value)));
  body.append(...rows.map((entry) => entry.row));
};
const makeSortable = (table) => {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(table, column));
    head.append(button);
  });
};
const makeFilterable = (table) => {
  const label = document.createElement("label");
  label.className = "filter";
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "Show only rows with …";
  input.setAttribute("aria-label", "Show only rows with this text");
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  label.append(input);
  table.parentElement.before(label);
};
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  for (let at = target; at !== null; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  target.scrollIntoView();
};
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
let held = [], told = null;
const textIn = (drawn, name) => [...drawn.children].find((child) => child.tagName === name && child.textContent !== "");
const hideTip = () => {
  tip.hidden = true;
  for (const [title, text] of held) title.textContent = text;
  held = [];
};
const wordsOf = (mark, svg) => {
  const words = (mark === svg ? ["title", "desc"] : ["title"]).map((name) => textIn(mark, name)).filter(Boolean).map((part) => part.textContent);
  const head = svg.closest("tbody tr")?.cells[0];
  return words.length && head && !head.contains(svg) ? [head.textContent.trim(), ...words] : words;
};
const showTip = (mark, byPointer) => {
  hideTip();
  const svg = mark.closest("svg");
  const words = wordsOf(mark, svg);
  if (words.length === 0) return;
  tip.textContent = words.join(": ");
  tip.hidden = false;
  // The browser would show the same once more.
  if (byPointer) held = [...svg.querySelectorAll("title")].map((title) => [title, title.textContent]);
  for (const [title] of held) title.textContent = "";
  told = mark;
  placeTip();
};
const placeTip = () => {
  if (tip.hidden) return;
  const place = told.getBoundingClientRect(), size = tip.getBoundingClientRect();
  if (place.bottom < 0 || place.top > innerHeight) return hideTip();
  const left = Math.min(place.left + place.width / 2 - size.width / 2, document.documentElement.clientWidth - size.width - 8);
  const above = place.top - size.height - 8;
  tip.style.left = `${Math.max(left, 8)}px`;
  tip.style.top = `${above < 0 ? place.bottom + 8 : above}px`;
};
const marksOf = (svg) => [...svg.querySelectorAll("g")];
const stepTo = (svg, step) => {
  const marks = marksOf(svg);
  if (marks.length === 0) return;
  const at = (Number(svg.dataset.mark ?? 0) + step + marks.length) % marks.length;
  svg.dataset.mark = at;
  showTip(marks[at]);
};
const makeTelling = (svg) => {
  if (svg.closest("thead") || !textIn(svg, "title")) return;
  svg.tabIndex = 0;
  svg.addEventListener("focus", () => showTip(marksOf(svg)[svg.dataset.mark ?? 0] ?? svg));
  svg.addEventListener("blur", hideTip);
  svg.addEventListener("keydown", (event) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (step === undefined) return;
    event.preventDefault();
    stepTo(svg, step);
  });
};
document.body.append(tip);
document.querySelectorAll("main svg").forEach(makeTelling);
document.addEventListener("pointerover", (event) => {
  const mark = event.target.closest("svg g, svg");
  if (mark === null) return hideTip();
  showTip(mark, true);
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
addEventListener("scroll", placeTip, {passive: true});
for (const table of document.querySelectorAll("table.sorts")) {
  makeSortable(table);
  if (table.tBodies[0].rows.length > 25) makeFilterable(table);
}
addEventListener("hashchange", openTarget);
openTarget();
