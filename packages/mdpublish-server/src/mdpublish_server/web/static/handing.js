// On narrow screens, one button opens a sheet with all that hands a text over: places to copy for, sharing, files, publishing.

// The text as a file, where the phone takes one, and the published page.
const share = async (form) => {
  const text = form.elements.content.value;
  const title = form.elements.title?.value || /^#+ +(.+)/m.exec(text)?.[1] || "Text";
  const url = form.querySelector(".facts a[href*='//']")?.href;
  const file = new File([text], `${title.replace(/[\\/:*?"<>|]+/g, " ")}.md`, { type: "text/markdown" });
  const files = { files: [file], title };
  await navigator.share(url ? { title, url } : navigator.canShare?.(files) ? files : { title, text });
};

export const handing = (form, narrow) => {
  const bar = form.querySelector(".take");
  const parts = [...bar.querySelectorAll(".copies, .downloads")];
  const sheet = form.querySelector(".handing");
  const deeds = sheet.querySelector(".choice");
  const sharing = deeds.querySelector("[data-share]");

  sharing.hidden = !navigator.share;
  sharing.addEventListener("click", () => share(form).catch(() => {}));
  const primary = form.querySelector("button.primary");
  if (primary) deeds.append(primary.cloneNode(true));

  // What the status says is below the sheet.
  sheet.addEventListener("click", ({ target }) => (target === sheet || target.closest("button")) && sheet.close());
  form.querySelector("[data-handing]").addEventListener("click", () => sheet.showModal());
  const move = () => {
    if (narrow.matches) return deeds.before(...parts);
    sheet.close();
    return bar.prepend(...parts);
  };
  narrow.addEventListener("change", move);
  move();

  // A keyboard on the screen leaves less to see: the toolbar sits on it, and the bar makes room.
  const fit = () => {
    const { height, offsetTop } = visualViewport;
    const isTyping = narrow.matches && height < innerHeight * 0.8 && document.activeElement === form.elements.content;
    form.classList.toggle("is-typing", isTyping);
    form.style.setProperty("--keyboard", `${Math.max(0, innerHeight - height - offsetTop)}px`);
  };
  for (const type of ["resize", "scroll"]) visualViewport?.addEventListener(type, fit);
  for (const type of ["focusin", "focusout"]) form.addEventListener(type, fit);
};
