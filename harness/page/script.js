"use strict";
// Sorting and filtering. Without it the page says the same.
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
for (const table of document.querySelectorAll("table.sorts")) {
  makeSortable(table);
  if (table.tBodies[0].rows.length > 25) makeFilterable(table);
}
addEventListener("hashchange", openTarget);
openTarget();
