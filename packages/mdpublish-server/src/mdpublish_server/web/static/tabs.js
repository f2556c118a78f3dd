// On narrow screens, the text and its preview are tabs in a bar below; where there is room, they are beside each other.
// Without scripts, they are below each other. The stylesheet hides what is not chosen, at the same width.

import { handing } from "./handing.js";

const NARROW = matchMedia("(max-width: 56.24rem)");
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

export const tabs = (form) => {
  const panels = [...form.querySelectorAll(".panes > section")];
  const list = form.querySelector(".switch");
  const buttons = [...list.children];

  const choose = (chosen) => {
    for (const [index, tab] of buttons.entries()) {
      tab.setAttribute("aria-selected", String(index === chosen));
      tab.tabIndex = index === chosen ? 0 : -1;
      panels[index].toggleAttribute("data-behind", index !== chosen);
    }
  };

  list.addEventListener("keydown", (event) => {
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    const next = (buttons.indexOf(document.activeElement) + STEPS[event.key] + buttons.length) % buttons.length;
    choose(next);
    buttons[next].focus();
  });

  const name = () => {
    for (const [index, panel] of panels.entries()) {
      if (NARROW.matches) {
        panel.setAttribute("role", "tabpanel");
        panel.setAttribute("aria-labelledby", buttons[index].id);
      } else {
        panel.removeAttribute("role");
        panel.removeAttribute("aria-labelledby");
      }
    }
  };

  for (const [index, tab] of buttons.entries()) tab.addEventListener("click", () => choose(index));
  handing(form, NARROW);
  NARROW.addEventListener("change", name);
  // The browser cannot show what is wrong with a field that is hidden.
  form.elements.content.addEventListener("invalid", () => choose(0));
  name();
  choose(0);
};
