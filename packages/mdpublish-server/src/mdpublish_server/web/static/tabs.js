// On narrow screens, the text and its preview are tabs in a bar below, beside what hands the text over; where there is room, they are beside each other.
// Without scripts, they are below each other. The stylesheet hides what is not chosen, at the same width.

import { handing } from "./handing.js";

const NARROW = matchMedia("(max-width: 56.24rem)");
const LABELS = ["Write", "Preview"];
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

export const tabs = (form) => {
  const panes = form.querySelector(".panes");
  const panels = [...panes.children];
  const list = document.createElement("div");
  list.className = "switch";
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Text and preview");

  const buttons = panels.map((panel, index) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = `tab-${index}`;
    tab.textContent = LABELS[index];
    panel.id ||= `panel-${index}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    tab.addEventListener("click", () => choose(index));
    return tab;
  });

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

  list.append(...buttons);
  const dock = document.createElement("div");
  dock.className = "dock";
  dock.append(list, handing(form, NARROW));
  panes.before(dock);
  NARROW.addEventListener("change", name);
  // The browser cannot show what is wrong with a field that is hidden.
  form.elements.content.addEventListener("invalid", () => choose(0));
  name();
  choose(0);
};
