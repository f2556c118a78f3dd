// From change to change; without scripts, the arrows lead to the last and the first.
for (const steps of document.querySelectorAll("[data-changes]")) {
  const count = Number(steps.dataset.changes);
  let at = -1;
  for (const [index, link] of steps.querySelectorAll("a").entries()) {
    link.addEventListener("click", () => {
      at = index ? (at + 1) % count : (Math.max(at, 0) - 1 + count) % count;
      link.hash = `change-${at + 1}`;
      /** @type {ChildNode} */ (steps.firstChild).textContent = `${at + 1} of ${count}`;
    });
  }
}

// Both pages begin with the block of their first change, unless the first screen has it: what is above is the same in
// both.

for (const frame of document.querySelectorAll(".panes iframe")) {
  const begin = () => {
    const change = frame.contentDocument.querySelector("ins[title=Added], del[title=Removed]");
    if (!change || change.getBoundingClientRect().bottom <= frame.clientHeight) return;
    // `scrollIntoView` would scroll this page, too, away from what its reader has begun to look at.
    frame.contentWindow.scrollBy(0, change.closest("li, tr, main > *")?.getBoundingClientRect().top ?? 0);
  };
  if (frame.contentDocument?.readyState === "complete") begin();
  frame.addEventListener("load", begin);
}
