// Edits of the text as the browser makes them, so that Ctrl+Z takes them back, one at a time and in order.

// Chromium takes seconds to insert some KB of lines as text, a moment as HTML; of that, it drops a last line end.
const MANY_LINES = 400;

const insert = (/** @type {string} */ content) => {
  if (!content) return document.execCommand("delete");
  if (content.length < MANY_LINES || !content.includes("\n")) return document.execCommand("insertText", false, content);
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const html = `<pre>\n${escaped}${content.endsWith("\n") ? "\n" : ""}</pre>`;
  return document.execCommand("insertHTML", false, html) || document.execCommand("insertText", false, content);
};

// Writes `content` in place of what is between two offsets, and selects from `from` to `to`.
/** @type {(text: HTMLTextAreaElement, edit: Edit) => void} */
export const write = (text, { start, end, content, from = start + content.length, to = from }) => {
  if (text.readOnly) return;
  text.focus({ preventScroll: true });
  const { value } = text;
  const written = value.slice(0, start) + content + value.slice(end);
  if (written !== value) {
    text.setSelectionRange(start, end);
    insert(content);
    if (text.value !== written) {
      // The browser edits nothing for scripts, or not as it should: without its undo.
      text.value = written;
      text.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  text.setSelectionRange(from, to);
};

// How much two texts, or lists of lines, have in common at their beginnings and, beyond them, at their ends.
/** @type {<Part extends string | string[]>(one: Part, other: Part) => { head: number, tail: number }} */
export const commonEnds = (one, other) => {
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  let tail = 0;
  while (head < shorter && one[head] === other[head]) head += 1;
  while (tail < shorter - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return { head, tail };
};

export const selectionOf = (/** @type {HTMLTextAreaElement} */ text) => ({ value: text.value, start: text.selectionStart, end: text.selectionEnd });

/** The whole lines that a selection touches: where they begin and end, and what they are. */
export const linesOf = (/** @type {Selected} */ { value, start, end }) => {
  const first = value.lastIndexOf("\n", start - 1) + 1;
  const after = value.indexOf("\n", end > start && value[end - 1] === "\n" ? end - 1 : end);
  const last = after < 0 ? value.length : after;
  return { first, last, lines: value.slice(first, last).split("\n") };
};

export const lineAt = (/** @type {string} */ value, /** @type {number} */ offset) => value.slice(0, offset).split("\n").length - 1;

export const offsetOf = (/** @type {string} */ value, /** @type {number} */ line) => {
  let offset = 0;
  for (let count = 0; count < line; count += 1) offset = value.indexOf("\n", offset) + 1 || value.length;
  return offset;
};

/** The fence of the code that an offset is in, and what is before it. @type {(value: string, offset: number) => { indent: string, mark: string } | null} */
export const fenceAt = (value, offset) => {
  let fence = null;
  for (const line of value.slice(0, value.lastIndexOf("\n", offset - 1) + 1).split("\n")) {
    const [, indent, mark] = /^([ >]*(?:(?:[-*+]|\d+[.)]) +)?)(`{3,}|~{3,})/.exec(line) ?? [];
    if (!fence) fence = mark ? { indent, mark } : null;
    else if (mark?.startsWith(fence.mark) && line.trim().replace(/^[> ]*/, "") === mark) fence = null;
  }
  return fence;
};
