// Returns what a template looks like, as marks of each role (words that say what is painted), ratios, letters and colors.
// `height` is that of the first screen in px. Sizes are relative to the text, so that larger type changes nothing.
height => {
  const pen = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d", {willReadFrequently: true});
  const channels = color => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const lightness = ([red, green, blue]) => (0.3 * red + 0.59 * green + 0.11 * blue) / 255;
  const apart = (one, other) => Math.max(...[0, 1, 2].map(at => Math.abs(one[at] - other[at])));
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color[3] > 200) return color;
    }
    return [255, 255, 255, 255];
  };
  const first = selector => document.querySelector(selector);
  const text = [...document.querySelectorAll("main p")].find(each => each.textContent.length > 200 && !each.matches(".lead"));
  const textStyle = getComputedStyle(text), em = parseFloat(textStyle.fontSize);
  const ink = channels(textStyle.color), page = behind(document.body);
  const hash = source => [...source].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7).toString(36);

  const images = source => {
    const shapes = [...source.matchAll(/url\("?(.*?)"?\)(?=,|$)/g)]
      .map(([, url]) => `picture ${hash(url.replace(/(%23|#)[0-9a-f]{3,8}\b|rgba?\([^)]*\)/gi, ""))}`);
    const gradients = [...source.matchAll(/(repeating-)?(linear|radial|conic)-gradient/g)].map(([gradient]) => gradient);
    return [...shapes, ...gradients];
  };
  const paint = (style, ground) => {
    const marks = [];
    for (const side of ["top", "right", "bottom", "left"]) {
      const width = parseFloat(style[`border-${side}-width`]), line = style[`border-${side}-style`];
      const color = channels(style[`border-${side}-color`]);
      if (!width || line === "none" || line === "hidden" || color[3] < 16 || apart(color, ground) < 6) continue;
      marks.push(`${side} edge`);
      if (width >= 2.6) marks.push(`thick ${side} edge`);
      if (line !== "solid") marks.push(`${line} ${side} edge`);
    }
    const color = channels(style.backgroundColor);
    if (color[3] > 12 && apart(color, ground) >= 5) {
      marks.push("ground");
      if (Math.abs(lightness(color) - lightness(page)) > 0.35 && color[3] > 128) marks.push("strong ground");
    }
    marks.push(...images(style.backgroundImage), ...images(style.maskImage.includes("url(") ? style.maskImage : ""));
    const radius = parseFloat(style.borderTopLeftRadius);
    if (radius && marks.length) marks.push(radius > 0.9 * em || style.borderTopLeftRadius.includes("%") ? "pill" : "round");
    if (style.boxShadow !== "none") marks.push(/ 0px( 0px)?( inset)?$/.test(style.boxShadow) ? "hard shadow" : "shadow");
    if (style.textShadow !== "none") marks.push("text shadow");
    if (style.clipPath !== "none" && !style.clipPath.startsWith("inset(0")) marks.push("clipped");
    if (style.outlineStyle !== "none" && parseFloat(style.outlineWidth)) marks.push("outline");
    if (style.transform !== "none" && Math.abs(new DOMMatrix(style.transform).b) > 0.005) marks.push("tilted");
    if (style.rotate !== "none") marks.push("tilted");
    return marks;
  };
  const pseudos = (element, ground, names = ["::before", "::after"]) => names.flatMap(name => {
    const style = getComputedStyle(element, name);
    if (["none", "normal"].includes(style.content) || style.display === "none") return [];
    const content = style.content.replace(/^"|"$/g, "").trim(), marks = paint(style, ground);
    if (content.startsWith("url(")) marks.push(...images(content));
    else if (content) marks.push("text", `text ${content.slice(0, 20)}`);
    return marks.map(mark => `${name.slice(2)} ${mark}`);
  });
  const dress = element => {
    if (!element) return [];
    const ground = element.parentElement ? behind(element.parentElement) : [255, 255, 255];
    return [...paint(getComputedStyle(element), ground), ...pseudos(element, ground)];
  };
  const voice = element => {
    const style = getComputedStyle(element), marks = [], size = parseFloat(style.fontSize);
    if (["center", "right", "justify"].includes(style.textAlign)) marks.push(style.textAlign);
    if (style.textTransform === "uppercase") marks.push("capitals");
    if (style.fontVariantCaps !== "normal") marks.push("small capitals");
    if (style.fontStyle !== "normal") marks.push("slanted");
    const tracking = (parseFloat(style.letterSpacing) || 0) / size;
    if (tracking > 0.035) marks.push("spaced");
    if (tracking > 0.11) marks.push("widely spaced");
    if (tracking < -0.012) marks.push("tight");
    if (style.textDecorationLine !== "none") marks.push(`${style.textDecorationStyle} ${style.textDecorationLine}`);
    return marks;
  };
  const within = element => element && element.getBoundingClientRect().top < height && element.checkVisibility();
  const place = element => {
    const box = element.getBoundingClientRect(), column = text.getBoundingClientRect(), marks = [];
    if (box.left < column.left - em / 2) marks.push("hung");
    if (box.left > column.left + em / 2) marks.push("indented");
    return marks;
  };
  const columns = () => {
    const main = first("main"), column = text.getBoundingClientRect(), marks = [];
    const style = getComputedStyle(main), part = first(".part");
    if (parseInt(style.columnCount) > 1) marks.push("columns");
    if (part && parseInt(getComputedStyle(part).columnCount) > 1) marks.push("columns in parts");
    const lefts = new Set([...document.querySelectorAll("main > p, main > .part, main > h2")]
      .map(each => Math.round(each.getBoundingClientRect().left / 24)));
    if (lefts.size > 2) marks.push("cells");
    if (Math.abs((column.left + column.right) / 2 / innerWidth - 0.5) > 0.06) marks.push("off center");
    return marks;
  };
  const glyphs = element => {
    const style = getComputedStyle(element), cell = [56, 72], shown = "aegRstQ2";
    const sheet = Object.assign(document.createElement("canvas"), {width: cell[0] * shown.length, height: cell[1]});
    const drawing = sheet.getContext("2d", {willReadFrequently: true});
    const font = size => `${style.fontStyle} ${style.fontWeight} ${size}px ${style.fontFamily}`;
    drawing.font = font(100);
    const rise = drawing.measureText("x").actualBoundingBoxAscent;
    drawing.font = font(2200 / rise);
    drawing.textAlign = "center";
    [...shown].forEach((letter, at) => drawing.fillText(letter, (at + 0.5) * cell[0], 50));
    const pixels = drawing.getImageData(0, 0, sheet.width, sheet.height).data;
    let packed = "";
    for (let at = 3; at < pixels.length; at += 4) packed += String.fromCharCode(pixels[at]);
    return btoa(packed);
  };
  const said = (selector, extra = []) => {
    const element = first(selector);
    return element ? [...dress(element), ...voice(element), ...extra] : [];
  };
  const prefixed = (word, marks) => marks.map(mark => `${word} ${mark}`);
  const firstLetter = () => {
    const element = first(".lead") || text, style = getComputedStyle(element, "::first-letter");
    return parseFloat(style.fontSize) > 1.6 * parseFloat(getComputedStyle(element).fontSize) || style.float !== "none"
      ? ["large first letter"] : [];
  };
  const lead = () => {
    const element = first(".lead");
    if (!within(element)) return [];
    const style = getComputedStyle(element), marks = [];
    if (parseFloat(style.fontSize) > 1.06 * em) marks.push("large lead");
    if (style.fontWeight - textStyle.fontWeight >= 200) marks.push("bold lead");
    if (style.fontFamily !== textStyle.fontFamily) marks.push("lead of another face");
    return marks;
  };
  const list = selector => {
    const element = first(selector);
    const item = element.firstElementChild, marker = getComputedStyle(item).listStyleType;
    return [`${selector} ${marker}`, ...prefixed(selector, [...dress(item), ...pseudos(item, page, ["::marker"])])];
  };
  const size = selector => parseFloat(getComputedStyle(first(selector)).fontSize) / em;
  const opening = ["header", "header nav", ".meta", ".lead", ".ornament", ".kicker"]
    .filter(selector => within(first(selector)))
    .flatMap(selector => prefixed(selector, [...dress(first(selector)), ...voice(first(selector))]));
  const title = first("h1"), around = title.parentElement.matches("main, .part") ? null : title.parentElement;
  const color = (selector, property) => channels(getComputedStyle(first(selector))[property]).slice(0, 3);
  return {
    marks: {
      page: [
        // The color of the whole page is none of its form.
        ...["html", "body"].flatMap(each => prefixed(each, dress(first(each)).filter(mark => !mark.endsWith("ground")))),
        ...["main", "footer"].flatMap(each => prefixed(each, dress(first(each)))),
        ...prefixed("part", dress(first(".part"))),
        ...columns(),
      ],
      opening: [...new Set([...opening, ...firstLetter(), ...lead()])],
      title: [...dress(title), ...dress(around), ...voice(title), ...place(title)],
      section: said("h2", place(first("h2"))),
      subsection: said("h3"),
      quote: said("blockquote", voice(first("blockquote p"))),
      callout: [...said(".callout"), ...prefixed("title", said(".callout > .title"))],
      code: [...said("pre"), ...prefixed("inline", dress(first("p > code")))],
      table: [
        ...dress(first(".table")), ...dress(first("table")), ...prefixed("th", said("thead th:nth-child(2)")),
        ...prefixed("td", dress(first("tr.odd td:nth-child(2)"))), ...prefixed("even", dress(first("tr.even td:nth-child(2)"))),
        ...prefixed("odd row", dress(first("tbody tr.odd"))), ...prefixed("even row", dress(first("tbody tr.even"))),
      ],
      lists: [...list("ul"), ...list("ol"), ...prefixed("task", dress(first("li.task"))), ...prefixed("rule", dress(first("hr")))],
      text: [
        ...(textStyle.textAlign === "justify" ? ["justified"] : []),
        ...(parseFloat(textStyle.textIndent) > 2 ? ["indented"] : []),
        ...prefixed("link", said("main li a")), ...prefixed("mark", dress(first("mark"))),
      ],
    },
    ratios: {title: size("h1"), section: size("h2")},
    glyphs: {title: glyphs(title), text: glyphs(text)},
    colors: [
      page.slice(0, 3), ink.slice(0, 3), color("main li a", "color"), color("h1", "color"), color("h2", "color"),
      behind(first("pre")).slice(0, 3), behind(first("thead th")).slice(0, 3), behind(first(".callout .title")).slice(0, 3),
    ],
  };
}
