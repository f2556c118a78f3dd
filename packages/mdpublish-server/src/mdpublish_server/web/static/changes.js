// Both pages begin with the block of their first change, unless the first screen has it: what is above is the same in both.

for (const frame of document.querySelectorAll(".panes iframe")) {
  const begin = () => {
    const change = frame.contentDocument.querySelector("ins, del");
    if (change?.getBoundingClientRect().bottom > frame.clientHeight) change.closest("li, tr, main > *")?.scrollIntoView();
  };
  if (frame.contentDocument?.readyState === "complete") begin();
  frame.addEventListener("load", begin);
}
