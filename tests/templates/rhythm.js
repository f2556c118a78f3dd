// Margins below blocks of the text, in lines of text: those that are no multiple of a half.
() => {
  const text = document.querySelector("main > p:not(.lead, .meta, .kicker, .deck), .part > p");
  const line = parseFloat(getComputedStyle(text).lineHeight);
  const blocks = document.querySelectorAll(":is(main, .part) > :is(p:not(.lead, .meta, .kicker, .deck), ul, ol, dl, pre, blockquote, .table, figure, .callout):not(.rule, .margin)");
  const margins = new Set();
  for (const block of blocks) {
    const lines = parseFloat(getComputedStyle(block).marginBottom) / line;
    if (Math.abs(2 * lines - Math.round(2 * lines)) > 0.04) margins.add(`${block.className || block.localName}: ${lines.toFixed(2)}`);
  }
  return [...margins];
}
