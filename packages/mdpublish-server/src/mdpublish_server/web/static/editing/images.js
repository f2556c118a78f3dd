// Images in another width: as an HTML element, whose width in pixels every place keeps.

const IMAGE = /!\[([^\]"\\]*)\]\(([^\s()"\\]+)\)|<img src="([^"]*)" alt="([^"]*)"(?: width="\d+")? ?\/?>/g;

export const WIDTHS = ["200 px wide", "400 px wide", "600 px wide", "Its own width"];

/** The edit that gives the image at the caret one of the widths. @type {(state: Selected, chosen?: string) => Edit | null} */
export const sized = ({ value, start: at }, chosen = "") => {
  for (const { 0: source, 1: words, 2: url, 3: src = url, 4: alt = words, index: start } of value.matchAll(IMAGE)) {
    const end = start + source.length;
    const width = Number.parseInt(chosen, 10);
    if (start <= at && at <= end) return { start, end, content: width ? `<img src="${src}" alt="${alt}" width="${width}">` : `![${alt}](${src})` };
  }
  return null;
};
