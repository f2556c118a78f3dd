// Edits of the text as the browser makes them, so that Ctrl+Z takes them back, one at a time and in order.

// Chromium takes seconds to insert some KB of lines as text, a moment as HTML; of that, it drops a last line end.
const MANY_LINES = 400;

const insert = (content) => {
  if (!content) return document.execCommand("delete");
  if (content.length < MANY_LINES || !content.includes("\n")) return document.execCommand("insertText", false, content);
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const html = `<pre>\n${escaped}${content.endsWith("\n") ? "\n" : ""}</pre>`;
  return document.execCommand("insertHTML", false, html) || document.execCommand("insertText", false, content);
};

// Writes `content` in place of what is between two offsets, and selects from `from` to `to`.
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

export const selectionOf = (text) => ({ value: text.value, start: text.selectionStart, end: text.selectionEnd });

// The whole lines that a selection touches: where they begin and end, and what they are.
export const linesOf = ({ value, start, end }) => {
  const first = value.lastIndexOf("\n", start - 1) + 1;
  const after = value.indexOf("\n", end > start && value[end - 1] === "\n" ? end - 1 : end);
  const last = after < 0 ? value.length : after;
  return { first, last, lines: value.slice(first, last).split("\n") };
};

export const lineAt = (value, offset) => value.slice(0, offset).split("\n").length - 1;

export const offsetOf = (value, line) => {
  let offset = 0;
  for (let count = 0; count < line; count += 1) offset = value.indexOf("\n", offset) + 1 || value.length;
  return offset;
};

// Whether an offset is in fenced code, and the spaces before its fence.
export const fenceAt = (value, offset) => {
  let fence = null;
  for (const line of value.slice(0, value.lastIndexOf("\n", offset - 1) + 1).split("\n")) {
    const [, indent, mark] = /^([ >]*(?:(?:[-*+]|\d+[.)]) +)?)(`{3,}|~{3,})/.exec(line) ?? [];
    if (!fence) fence = mark ? { indent, mark } : null;
    else if (mark?.startsWith(fence.mark) && line.trim().replace(/^[> ]*/, "") === mark) fence = null;
  }
  return fence;
};
