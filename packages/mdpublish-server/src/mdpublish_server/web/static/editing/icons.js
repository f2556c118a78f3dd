// The icons of the toolbar and of places to copy for: strokes on 24 × 24.

const PATHS = /** @type {Record<string, string>} */ ({
  bold: "M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7.5a3.5 3.5 0 0 1 0 7H7z",
  italic: "M10 5h8M6 19h8M14 5l-4 14",
  heading: "M6 5v14M18 5v14M6 12h12",
  link: "M10 13.5a4 4 0 0 0 6 .4l2.8-2.8a4 4 0 0 0-5.7-5.7L12 6.5M14 10.5a4 4 0 0 0-6-.4l-2.8 2.8a4 4 0 0 0 5.7 5.7l1.1-1.1",
  quote: "M5 5v14M9.5 7H20M9.5 12H20M9.5 17H16",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5",
  bullets: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  numbers: "M10 6h10M10 12h10M10 18h10M4 4.5l1.2-.5v5M3.8 15.2c1.8-1.6 3.4 0 2 1.6L4 19.5h2.6",
  tasks: "M4.5 4.5h15v15h-15zM8 12l3 3 5-6",
  table: "M3.5 5h17v14h-17zM3.5 10h17M3.5 14.5h17M10 5v14",
  formula: "M17.5 7.5V5h-11l6 7-6 7h11v-2.5",
  diagram: "M9 4h6v5H9zM3.5 15h6v5h-6zM14.5 15h6v5h-6zM12 9v3M6.5 15v-3h11v3",
  image: "M3.5 5h17v14h-17zM4 16.5l5-5 4.5 4.5 2.5-2.5 4 4M15.5 9h.01",
  callout: "M4 5h16v11h-8.5L7 20v-4H4zM12 8v2.5M12 13h.01",
  "google-docs": "M6 3.5h12v17H6zM9 8h6M9 12h6M9 16h3.5",
  word: "M6 3.5h8.5L18 7v13.5H6zM14 3.5v4h4M8.5 11l1.6 6 1.9-5 1.9 5 1.6-6",
  slack: "M4 5h16v11h-8.5L7 20v-4H4zM8.5 10.5h.01M12 10.5h.01M15.5 10.5h.01",
  onenote: "M7 3.5h12v17H7zM4.5 7.5H7M4.5 12H7M4.5 16.5H7M10.5 3.5v17",
  email: "M3.5 5.5h17v13h-17zM4 6.5l8 6.5 8-6.5",
  "plain-text": "M4.5 6h15M4.5 10h15M4.5 14h15M4.5 18h9",
  markdown: "M9.5 4.5l-2 15M16.5 4.5l-2 15M4.5 9h15M4.5 15h15",
  blocks: "M4.5 4.5h15v6h-15zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z",
  file: "M6 3.5h8.5L18 7v13.5H6zM14 3.5v4h4M9 12h6M9 16h6",
  outline: "M4.5 6h12M8.5 10h11M8.5 14h11M4.5 18h12",
  view: "M3.5 5h17v14h-17zM12 5v14",
  find: "M10.5 4.5a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15 15l5 5",
});

const SVG = "http://www.w3.org/2000/svg";

export const icon = (/** @type {string} */ name) => {
  const made = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("aria-hidden", "true");
  path.setAttribute("d", PATHS[name] ?? PATHS.file);
  made.append(path);
  return made;
};
