// On narrow screens, one button opens a sheet with all that hands a text over: places to copy for, sharing, files, publishing.

const make = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

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
  const parts = [...bar.querySelectorAll(".copies, .delivery, .downloads")];
  const sheet = make("dialog", { className: "handing" }, make("h2", { id: "handing-title", textContent: "Copy & share" }));
  const rows = make("div", {});
  const deeds = make("div", { className: "choice" });
  const opener = make("button", { type: "button", textContent: "Copy & share" });
  const button = (label, action, properties = {}) => {
    const made = make("button", { type: "button", textContent: label, ...properties });
    made.addEventListener("click", () => {
      sheet.close();
      action();
    });
    deeds.append(made);
    return made;
  };
  const primary = form.querySelector("button.primary");

  sheet.setAttribute("aria-labelledby", "handing-title");
  opener.setAttribute("aria-haspopup", "dialog");
  if (navigator.share) button("Share …", () => share(form).catch(() => {}));
  const publishing = primary && button(primary.textContent.trim(), () => primary.click(), { className: "primary" });
  button("Close", () => {});
  sheet.append(rows, deeds);
  form.append(sheet);

  // What the status says is below the sheet.
  rows.addEventListener("click", (event) => event.target.closest("button") && sheet.close());
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  opener.addEventListener("click", () => {
    if (primary) [publishing.hidden, publishing.disabled] = [primary.hidden, primary.disabled];
    sheet.showModal();
  });
  const move = () => {
    if (narrow.matches) return rows.append(...parts);
    sheet.close();
    return bar.querySelector("[data-status]").after(...parts);
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
  return opener;
};
