// What breaks the rules of a margin: notes beside a screen of text, text upon text, order, tables away from their heads.
() => {
  const box = each => each.getBoundingClientRect(), offenders = [];
  const notes = [...document.querySelectorAll(":is(main, .part) > .margin, .footnotes .beside")];
  const mark = note => note.matches(".beside") ? document.getElementById(note.id.replace("fn-", "fnref-")) : note;
  const text = document.querySelector("main > p:not(.lead, .meta, .kicker), .part > p");
  const beside = notes.filter(note => box(note).width > 0 && box(note).left > box(text).right - 1)
    .sort((one, other) => box(one).top - box(other).top);
  beside.forEach((note, at) => {
    if (at > 1 && box(note).top - box(beside[at - 2]).top < 800) offenders.push(`three beside a screen: ${note.textContent.slice(0, 40)}`);
    const before = beside[at - 1];
    if (before && box(note).top < box(before).bottom) offenders.push(`upon a note: ${note.textContent.slice(0, 40)}`);
    if (before && !(mark(before).compareDocumentPosition(mark(note)) & Node.DOCUMENT_POSITION_FOLLOWING)) offenders.push(`out of order: ${note.textContent.slice(0, 40)}`);
  });
  const lead = document.querySelector(".lead");
  for (const note of beside) {
    const one = box(note), other = box(lead);
    if (one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom) offenders.push(`upon the lead: ${note.textContent.slice(0, 40)}`);
  }
  for (const block of document.querySelectorAll(":is(main, .part) > :is(.table, pre, figure)")) {
    let above = block.previousElementSibling;
    while (above?.matches(".margin, .data")) above = above.previousElementSibling;
    const gap = above ? box(block).top - box(above).bottom : 0;
    if (gap > 100) offenders.push(`${gap.toFixed(0)} px above: ${block.textContent.trim().slice(0, 40)}`);
  }
  return [beside.length, offenders];
}
