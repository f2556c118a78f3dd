// Both pages begin at their first change: what is above, such as a template's title, is the same in both.

for (const frame of document.querySelectorAll(".panes iframe")) {
  const begin = () => {
    const change = frame.contentDocument.querySelector("ins, del");
    if (change) frame.contentWindow.scrollTo(0, change.getBoundingClientRect().top + frame.contentWindow.scrollY - 48);
  };
  if (frame.contentDocument?.readyState === "complete") begin();
  frame.addEventListener("load", begin);
}
