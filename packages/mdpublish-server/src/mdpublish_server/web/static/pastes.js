// What is pasted or dropped: text as it is, and repaired where it is all there is; HTML, files and images as Markdown,
// by the service.

import { block, commonEnds, fenceAt, isUrl, write } from "./editing/edits.js";
import { ask } from "./editing/service.js";
import { button } from "./elements.js";

// HTML that says more than its text. An editor's has colored spans only.
const RICH = /<(?:h[1-6]|table|[uo]l|li|pre|blockquote|strong|b|em|i|a|img|math|del|s|code|input|hr|mark|sup|sub)[\s>]|mso-list|msEquation/i;
const ONE_IMAGE = /^(?:<meta[^>]*>)?\s*<img[^>]*>\s*$/i;
const FORMATS = /\.(docx|html?|csv|tsv|eml|ipynb)$/i;

const IMAGES = /\.(png|jpe?g|gif|webp|avif|svg)$/i;

export const formatOf = (/** @type {File} */ file) => (file.type.startsWith("image/") || IMAGES.test(file.name) ? "image" : FORMATS.exec(file.name)?.[1].toLowerCase());

// A part of the text that stays the same part while its surroundings are edited.
/** @type {(text: HTMLTextAreaElement, start: number, end: number) => TextPart} */
export const track = (text, start, end) => {
  const part = /** @type {TextPart} */ ({ start, end });
  let before = text.value;
  const follow = () => {
    const now = text.value;
    const { head, tail } = commonEnds(now, before);
    const [until, shift] = [before.length - tail, now.length - before.length];
    before = now;
    if (head >= part.end) return;
    if (until <= part.start) part.start += shift;
    else if (head <= part.start) part.start = head;
    part.end = until >= part.end && head < part.end && until > part.start ? Math.max(part.start, head) : part.end + shift;
  };
  text.addEventListener("input", follow);
  part.release = () => text.removeEventListener("input", follow);
  return part;
};

export const pastes = (/** @type {Workbench} */ form, /** @type {Say} */ say) => {
  const text = form.elements.content;
  const isDocument = "autosave" in form.dataset;
  const isSample = () => "isSample" in text.dataset;
  let isPlain = false;

  const writeAll = (/** @type {string} */ content) => write(text, { start: 0, end: text.value.length, content });
  const undo = () => {
    text.focus();
    document.execCommand("undo");
  };

  // What a chat window or a terminal spoiled is repaired, unless the text was changed meanwhile; without an answer, it
  // stays.
  const repair = async () => {
    const pasted = text.value;
    const { markdown, summary } = await ask(form, "/repair", { content: pasted }).catch(() => ({}));
    if (!summary || text.value !== pasted) return;
    writeAll(markdown);
    say(`${summary}. `, button("Undo", undo));
  };

  // An image where a line begins, behind another one, or right behind the words of a paragraph, stands apart.
  const APART = /^\n|!\[[^\]]*\]\([^)]*\)[ \t]*\n|^(?!\s*(?:[#>|]|[-*+] |\d+[.)] )).*\S\n$/;
  // Writes where it was pasted, and leaves the caret where somebody types on.
  const put = (/** @type {TextPart} */ part, /** @type {string} */ content) => {
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const { value, selectionStart: caret, selectionEnd: end } = text;
    const line = `${value.slice(value.lastIndexOf("\n", part.start - 1) + 1, part.start)}\n${/^.*/.exec(value.slice(part.end))}`;
    const isBlock = /^(?:[#>|]|[-*+] |\d+[.)] )/.test(content) || (content.startsWith("![") && APART.test(line));
    const isInline = !content.trim().includes("\n") && !isBlock;
    const edit = /** @type {Edit} */ (isInline ? { ...part, content: content.trim() } : block({ ...part, value }, content.trim()));
    edit.from = edit.to = edit.start + edit.content.length;
    const shift = edit.content.length - (edit.end - edit.start);
    if (active === text && caret > edit.end) [edit.from, edit.to] = [caret + shift, end + shift];
    write(text, edit);
    part.start = edit.start;
    part.end = edit.start + edit.content.length;
    if (active !== text && active !== document.body) active?.focus();
  };

  /** @type {(blob: Blob, format: string, place: Place) => Promise<void>} */
  const bring = async (blob, format, { name = "", plain = "", start = text.selectionStart, end = text.selectionEnd }) => {
    const takesAll = isSample();
    const part = takesAll ? track(text, 0, text.value.length) : track(text, start, end);
    say(name ? `Reading ${name} …` : "Reading what you pasted …");
    try {
      const { markdown, summary } = await ask(form, `/import?format=${format}`, blob);
      const alt = name.replace(/\.[^.]*$/, "").replace(/[[\]\\]/g, " ");
      const content = format === "image" ? markdown.replace("![]", `![${alt}]`) : markdown;
      if (!content.trim()) throw new Error("There is no text in it");
      put(part, content);
      const asText = plain ? button("As plain text", () => (put(part, plain), say("Pasted as plain text."))) : "";
      say(`${name && format !== "image" ? summary.replace("Pasted", name) : summary}. `, button("Undo", undo), " ", asText);
    } catch (error) {
      if (plain) put(part, plain);
      say(`${plain ? "Pasted as plain text: " : ""}${/** @type {Error} */ (error).message.replace(/\.?$/, ".")}`);
    } finally {
      part.release();
    }
  };

  const bringFiles = async (/** @type {File[]} */ files, /** @type {Place} */ place = {}) => {
    for (const file of files) await bring(file, formatOf(file) ?? "", { ...place, name: file.name || "image" });
  };

  /** @type {(html: string, plain: string, place?: Place) => Promise<void>} */
  const bringHtml = (html, plain, place) => bring(new Blob([html], { type: "text/html" }), "html", { plain, ...place });

  const paste = (/** @type {ClipboardEvent} */ event) => {
    const field = /** @type {Partial<Element>} */ (event.target).closest?.("textarea, input, select");
    if (text.readOnly || (field && field !== text) || (!field && isDocument && text.value)) return;
    const data = /** @type {DataTransfer} */ (event.clipboardData);
    const [plain, html] = [data.getData("text/plain"), data.getData("text/html")];
    const known = [...data.files].filter(formatOf);
    const takesAll = isSample() || !field;
    const { value, selectionStart: start, selectionEnd: end } = text;
    const isWhole = end - start === value.length;
    const isCode = !takesAll && !isWhole && fenceAt(value, start) !== null;
    if (takesAll && (plain || html || known.length)) text.setSelectionRange(0, value.length);
    if (known.length && (!RICH.test(html) || ONE_IMAGE.test(html.replace(/<!--.*?-->|<\/?(?:html|body)[^>]*>/gs, "")))) {
      event.preventDefault();
      bringFiles(known);
    } else if (RICH.test(html) && !isPlain && !isCode) {
      event.preventDefault();
      bringHtml(html, plain);
    } else if (isUrl(plain) && start !== end && !isWhole && !isCode && !isPlain && !/\n|\]\(/.test(value.slice(start, end))) {
      event.preventDefault();
      write(text, { start, end, content: `[${value.slice(start, end)}](${plain.trim()})` });
    } else if (plain && takesAll) {
      event.preventDefault();
      writeAll(plain.replaceAll("\r\n", "\n"));
      if (!isPlain) repair();
    } else if (plain && isWhole && !isPlain) setTimeout(repair);
  };

  const dropHtml = (/** @type {DragEvent} */ event) => {
    const data = /** @type {DataTransfer} */ (event.dataTransfer);
    const [html, plain] = ["text/html", "text/plain"].map((type) => data.getData(type));
    if (text.readOnly || data.files.length || !RICH.test(html)) return;
    event.preventDefault();
    const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const at = caret?.offsetNode === text ? caret.offset : text.selectionEnd;
    bringHtml(html, plain, { start: at, end: at });
  };

  addEventListener("keydown", (event) => (isPlain = event.shiftKey && event.code === "KeyV"), true);
  document.addEventListener("paste", paste);
  text.addEventListener("drop", dropHtml);
  return { bringFiles };
};
