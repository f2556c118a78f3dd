// Tables of pipes: Tab goes from cell to cell, and sets their columns in line.

import { fenceAt, linesOf } from "./edits.js";

const DELIMITERS = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/gu;

const widthOf = (/** @type {string} */ content) => [...content].length + (content.match(WIDE)?.length ?? 0);

// The cells between pipes that are not escaped, nor in code.
const cellsOf = (/** @type {string} */ line) => {
  const parts = line.trim().replace(/^\|/, "").match(/(?:\\.|`[^`]*`|[^|\\]|\\$)*(?:\||$)/g) ?? [];
  const cells = parts.map((part) => part.replace(/\|$/, "").trim());
  return cells.at(-1) === "" && cells.length > 1 ? cells.slice(0, -1) : cells;
};

/** The table at the caret, with the row and the column that it is in. @type {(state: Selected) => Table | null} */
export const tableAt = ({ value, start }) => {
  if (fenceAt(value, start)) return null;
  const here = linesOf({ value, start, end: start });
  if (!here.lines[0].includes("|")) return null;
  let { first, last } = here;
  while (first > 0) {
    const above = linesOf({ value, start: first - 1, end: first - 1 });
    if (!above.lines[0].includes("|")) break;
    ({ first } = above);
  }
  while (last < value.length) {
    const below = linesOf({ value, start: last + 1, end: last + 1 });
    if (!below.lines[0].includes("|")) break;
    ({ last } = below);
  }
  const lines = value.slice(first, last).split("\n");
  if (lines.length < 2 || !DELIMITERS.test(lines[1])) return null;
  const row = value.slice(first, start).split("\n").length - 1;
  const before = value.slice(here.first, start).replace(/^\s*\|/, "");
  const column = Math.max(0, (before.match(/(?:\\.|`[^`]*`|[^|\\])*(?:\||$)/g) ?? []).filter((part) => part.endsWith("|")).length);
  return { first, last, rows: lines.map(cellsOf), row, column };
};

const RULES = /** @type {Record<string, (width: number) => string>} */ ({
  "": (width) => "-".repeat(width),
  left: (width) => `:${"-".repeat(width - 1)}`,
  center: (width) => `:${"-".repeat(width - 2)}:`,
  right: (width) => `${"-".repeat(width - 1)}:`,
});

const alignmentOf = (cell = "") => (/^:-*:$/.test(cell) ? "center" : cell.endsWith(":") ? "right" : cell.startsWith(":") ? "left" : "");

/** Writes the table with its columns in line, and selects what a cell has. @type {(table: Table, row: number, column: number) => Edit} */
const written = ({ first, last, rows }, row, column) => {
  const alignments = rows[0].map((_, index) => alignmentOf(rows[1][index]));
  const widths = alignments.map((_, index) => Math.max(3, ...rows.map((cells, at) => (at === 1 ? 0 : widthOf(cells[index] ?? "")))));
  const pad = (/** @type {string} */ content, /** @type {number} */ index) => {
    const room = " ".repeat(widths[index] - widthOf(content));
    const half = { center: room.length >> 1, right: room.length, left: 0, "": 0 }[alignments[index]];
    return room.slice(0, half) + content + room.slice(half);
  };
  let content = "";
  let from = 0;
  for (const [at, cells] of rows.entries()) {
    content += at ? "\n|" : "|";
    for (const [index, alignment] of alignments.entries()) {
      const cell = at === 1 ? RULES[alignment](widths[index]) : pad(cells[index] ?? "", index);
      if (at === row && index === column) from = first + content.length + 1 + cell.indexOf(cell.trim());
      content += ` ${cell} |`;
    }
  }
  return { start: first, end: last, content, from, to: from + (rows[row]?.[column] ?? "").length };
};

/** The next cell, or the one before; after the last one, a new row. @type {(state: Selected, step: number) => Edit | null} */
export const nextCell = (state, step) => {
  const table = tableAt(state);
  if (!table) return null;
  const { rows } = table;
  const count = rows[0].length;
  let at = table.row * count + Math.min(table.column, count - 1) + step;
  if (table.row === 1 || Math.floor(at / count) === 1) at = (step > 0 ? 2 : 1) * count + (step > 0 ? 0 : -1);
  if (at < 0) return written(table, 0, 0);
  if (at >= rows.length * count) rows.push(Array(count).fill(""));
  return written(table, Math.floor(at / count), at % count);
};

/** Enter goes to the cell below; in an empty last row, it ends the table. @type {(state: Selected) => Edit | null} */
export const rowBelow = (state) => {
  const table = tableAt(state);
  if (!table) return null;
  const { rows, row } = table;
  if (row > 1 && row === rows.length - 1 && rows[row].every((cell) => !cell)) {
    const start = state.value.lastIndexOf("\n", table.last - 1);
    const isFollowed = /^\n./.test(state.value.slice(table.last));
    return { start, end: table.last, content: isFollowed ? "\n\n\n" : "\n\n", from: start + 2 };
  }
  const below = Math.max(2, row + 1);
  if (below === rows.length) rows.push(rows[0].map(() => ""));
  return written(table, below, table.column < rows[0].length ? table.column : 0);
};

export const changes = /** @type {Record<string, (table: Table) => unknown>} */ ({
  "Align left": (table) => aligned(table, ":---"),
  "Align center": (table) => aligned(table, ":---:"),
  "Align right": (table) => aligned(table, "---:"),
  "Row below": ({ rows, row }) => rows.splice(Math.max(row, 1) + 1, 0, rows[0].map(() => "")),
  "Delete row": ({ rows, row }) => row > 1 && rows.splice(row, 1),
  "Column after": ({ rows, column }) => rows.forEach((cells, at) => cells.splice(column + 1, 0, at === 1 ? "---" : "")),
  "Delete column": ({ rows, column }) => rows[0].length > 1 && rows.forEach((cells) => cells.splice(column, 1)),
});

const aligned = (/** @type {Table} */ { rows, column }, /** @type {string} */ rule) => {
  rows[1][column] = rule;
};

/** The edit that a change of the table at the caret makes. @type {(state: Selected, name: string) => Edit | null} */
export const changed = (state, name) => {
  const table = tableAt(state);
  if (!table) return null;
  table.column = Math.min(table.column, table.rows[0].length - 1);
  changes[name](table);
  const row = name === "Row below" ? Math.max(table.row, 1) + 1 : Math.min(table.row, table.rows.length - 1);
  // Not to the delimiters.
  return written(table, row === 1 ? 0 : row, Math.min(table.column + (name === "Column after" ? 1 : 0), table.rows[0].length - 1));
};
