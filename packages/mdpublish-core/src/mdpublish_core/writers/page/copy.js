// A button on each block of code, which copies it. Without this script there is none.
//
// A published page is sandboxed and has an origin that is nobody's, to which a browser may refuse the clipboard's interface. So
// where that fails, the old command is tried, which asks for a selection.
(() => {
  // Those of other languages; English otherwise.
  // @ts-expect-error A page runs it as a classic script, which is the current one.
  const { copy: COPY = "Copy", copied: COPIED = "Copied", notCopied: NOT_COPIED = "Not copied" } = document.currentScript.dataset;

  // From here on the stylesheet keeps room for the buttons where they need any, so that nothing moves when they come.
  document.documentElement.classList.add("scripted");

  /** @type {(code: HTMLElement, text: string) => boolean} */
  const copyByCommand = (code, text) => {
    const selection = getSelection();
    const before = selection.rangeCount ? selection.getRangeAt(0) : null;
    /** @type {(event: ClipboardEvent) => void} */
    const put = (event) => {
      // @ts-expect-error This event always has data.
      event.clipboardData.setData("text/plain", text);
      event.preventDefault();
    };
    selection.selectAllChildren(code);
    addEventListener("copy", put);
    const copied = document.execCommand("copy");
    removeEventListener("copy", put);
    selection.removeAllRanges();
    if (before) selection.addRange(before);
    return copied;
  };

  /** @type {(code: HTMLElement, text: string) => Promise<boolean>} */
  const copy = async (code, text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyByCommand(code, text);
    }
  };

  /** @type {(code: HTMLElement, status: HTMLElement) => void} */
  const addButton = (code, status) => {
    // The last line's end would run a command that is pasted into a terminal.
    const text = code.textContent.replace(/\n$/, "");
    const button = document.createElement("button");
    /** @type {number | undefined} */
    let timer;
    button.type = "button";
    button.className = "copy";
    button.textContent = COPY;
    button.addEventListener("click", async () => {
      clearTimeout(timer);
      // Emptied first, so that a second time is announced, too.
      status.textContent = "";
      button.textContent = status.textContent = (await copy(code, text)) ? COPIED : NOT_COPIED;
      // Where the button is a sign, its words are shown now.
      button.classList.add("said");
      timer = setTimeout(() => {
        button.classList.remove("said");
        button.textContent = COPY;
        status.textContent = "";
      }, 2000);
    });
    code.prepend(button);
  };

  addEventListener("DOMContentLoaded", () => {
    const status = document.createElement("p");
    status.setAttribute("role", "status");
    // For ears alone.
    Object.assign(status.style, { opacity: 0, position: "fixed" });
    document.body.append(status);
    for (const code of document.querySelectorAll("pre > code")) addButton(code, status);
  });
})();
