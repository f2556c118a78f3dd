/* The page of `mdpublish arrivals`: copies for each place, and keeps what a person ticks. It works from a file, offline. */

"use strict";

/** @typedef {{name: string, program: string, steps: string, html?: string, text?: string}} Place */
/** @typedef {{version: string, date: string, remark: string, arrived: string[]}} Seen */

const KEPT = "mdpublish-arrivals";
const COLUMNS = ["place", "version", "date", "missing", "remark"];
const ABOUT = /** @type {const} */ ({ version: "Program and version", date: "Date", remark: "Remark" });

const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const data = /** @type {{specimens: string[], places: Place[]}} */ (JSON.parse(find("data").textContent ?? ""));
const results = /** @type {HTMLTextAreaElement} */ (find("results"));
const seen = /** @type {Record<string, Seen>} */ (JSON.parse(localStorage.getItem(KEPT) ?? "{}"));

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {object} values @param {(Node | string)[]} children */
function made(tag, values = {}, ...children) {
  const element = Object.assign(document.createElement(tag), values);
  element.append(...children);
  return element;
}

// The event takes HTML as it is, where the asynchronous clipboard would clean it.
function copy(/** @type {Place} */ place, /** @type {HTMLElement} */ button) {
  const fill = (/** @type {ClipboardEvent} */ event) => {
    event.preventDefault();
    if (place.html) event.clipboardData?.setData("text/html", place.html);
    event.clipboardData?.setData("text/plain", place.text ?? "");
  };
  document.addEventListener("copy", fill, { once: true });
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", fill);
  button.textContent = isDone ? "Copied" : "The browser refused to copy";
}

function cells(/** @type {Place} */ { name }) {
  const { version, date, remark, arrived } = seen[name];
  const missing = data.specimens.filter((each) => !arrived.includes(each)).join("; ");
  return [name, version, date, missing, remark].map((cell) => cell.replace(/\s+/g, " ").trim());
}

function summarize() {
  const known = data.places.filter(({ name }) => seen[name]?.version);
  results.value = [COLUMNS, ...known.map(cells)].map((row) => `${row.join("\t")}\n`).join("");
  find("count").textContent = `${known.length} of ${data.places.length} places seen: those with a version.`;
}

function keep() {
  localStorage.setItem(KEPT, JSON.stringify(seen));
  summarize();
}

function show(/** @type {Place} */ place) {
  const state = (seen[place.name] ??= { version: "", date: new Date().toLocaleDateString("sv"), remark: "", arrived: [] });
  const boxes = data.specimens.map((specimen) => made("input", { type: "checkbox", name: specimen, checked: state.arrived.includes(specimen) }));
  const ticked = () => {
    state.arrived = boxes.filter((box) => box.checked).map((box) => box.name);
    keep();
  };
  const all = made("button", { type: "button", onclick: () => { boxes.forEach((box) => { box.checked = true; }); ticked(); } }, "Tick all");
  const button = made("button", { type: "button", onclick: () => copy(place, button) }, "Copy");
  const fields = Object.entries(ABOUT).map(([key, label]) => {
    const name = /** @type {keyof typeof ABOUT} */ (key);
    const input = made("input", { type: name === "date" ? "date" : "text", name, value: state[name] });
    input.oninput = () => { state[name] = input.value; keep(); };
    return made("label", {}, label, input);
  });
  find("places").append(made("section", { id: place.name },
    made("h2", {}, place.program), made("p", {}, place.steps, " ", ...(place.text === undefined ? [] : [button]), " ", all),
    made("fieldset", { onchange: ticked }, ...boxes.map((box) => made("label", {}, box, box.name))),
    made("div", { className: "about" }, ...fields)));
}

find("save").onclick = () => {
  const file = new Blob([results.value], { type: "text/tab-separated-values" });
  made("a", { href: URL.createObjectURL(file), download: "arrivals.tsv" }).click();
};
// Without this, the next tick here would overwrite what another tab has saved.
addEventListener("storage", ({ key }) => { if (key === KEPT) location.reload(); });
data.places.forEach(show);
summarize();
