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

/** Where a line begins. */
export const offsetIn = (/** @type {string[]} */ lines, index = lines.length) => lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);

export const offsetOf = (/** @type {string} */ value, /** @type {number} */ line) => {
  let offset = 0;
  for (let count = 0; count < line; count += 1) offset = value.indexOf("\n", offset) + 1 || value.length;
  return offset;
};

/** The fence that each line belongs to, from its first mark to its last one. @type {(lines: string[]) => (Fence | null)[]} */
export const fencesOf = (lines) => {
  /** @type {Fence | null} */
  let open = null;
  return lines.map((line, index) => {
    const [, indent, mark] = /^([ >]*(?:(?:[-*+]|\d+[.)]) +)?)(`{3,}|~{3,})/.exec(line) ?? [];
    const fence = open ?? (mark ? { indent, mark, first: index, last: lines.length - 1 } : null);
    const isEnd = open && mark?.startsWith(open.mark) && line.trim().replace(/^[> ]*/, "") === mark;
    if (fence && isEnd) fence.last = index;
    open = isEnd ? null : fence;
    return fence;
  });
};

/** The fence of the code that an offset is in. */
export const fenceAt = (/** @type {string} */ value, /** @type {number} */ offset) => fencesOf(value.slice(0, value.lastIndexOf("\n", offset - 1) + 1).split("\n")).at(-1) ?? null;

const URL = /^(?:https?:\/\/|mailto:)\S+$/i;

export const isUrl = (/** @type {string} */ content) => URL.test(content.trim());

// Spans that a block must not divide.
const SPAN = /(\*{1,3}|_{1,3}|~~|`+)(?=\S).*?\S\1|!?\[[^\]]*\]\([^)]*\)/g;

/** A block of its own, between blank lines. @type {(state: Selected, content: string, from?: number, to?: number) => Required<Edit>} */
export const block = (state, content, from = content.length, to = from) => {
  const { value } = state;
  const { first, lines } = linesOf(state);
  let { start, end } = state;
  if (start === end) {
    for (const { 0: span, index } of lines[0].matchAll(SPAN)) if (first + index < start && start < first + index + span.length) start = end = first + index + span.length;
    if (!lines[0].trim()) start = first;
  }
  const before = start === 0 || value.slice(0, start).endsWith("\n\n") ? "" : value[start - 1] === "\n" ? "\n" : "\n\n";
  const after = value.slice(end).startsWith("\n\n") ? "" : value[end] === "\n" || end === value.length ? "\n" : "\n\n";
  const at = start + before.length;
  return { start, end, content: `${before}${content}${after}`, from: at + from, to: at + to };
};
