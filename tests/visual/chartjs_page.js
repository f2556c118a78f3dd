// Renders configurations with Chart.js, returns their geometry in the format of `chart_dumps.py`, and compares images.
const SCALES_OF_CIRCLES = new Set(["radialLinear"]);

for (const name of ["fillText", "strokeText", "measureText"]) {
  const original = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...values) {
    // Our widths are sums of advances.
    this.fontKerning = "none";
    return original.apply(this, values);
  };
}

const round = (number) => (Number.isFinite(number) ? Math.round(number * 1000) / 1000 + 0 : null);
const exact = (number) => (Number.isFinite(number) ? number : null);
const box = ({ left, top, right, bottom }) => ({ left: round(left), top: round(top), right: round(right), bottom: round(bottom) });
// Missing and non-finite options are null.
const plain = (value) => {
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value))) return null;
  if (Array.isArray(value)) return Array.from(value, plain);
  if (value && typeof value === "object") return Object.fromEntries(Object.keys(value).map((key) => [key, plain(value[key])]));
  return value;
};

// A string, or a list of lines.
const written = (label) => (label === undefined || label === null ? null : Array.isArray(label) ? label.map(String) : String(label));

// The center of lines drawn from an anchor: translated to (x, y), rotated, then `down` px.
const middle = (context, { label, font, down, x, y, rotation, align, baseline }) => {
  const lines = Array.isArray(label) ? label : [label];
  context.save();
  context.font = font.string;
  const width = Math.max(...lines.map((line) => context.measureText(line).width));
  context.restore();
  const across = { left: width / 2, start: width / 2, right: -width / 2, end: -width / 2 }[align] || 0;
  const half = { top: font.size / 2, bottom: -font.size / 2 }[baseline] || 0;
  const along = down + ((lines.length - 1) * font.lineHeight) / 2 + half;
  const [sine, cosine] = [Math.sin(rotation), Math.cos(rotation)];
  return { cx: round(x + across * cosine - along * sine), cy: round(y + across * sine + along * cosine) };
};

const cartesianLabels = (scale, area) => {
  if (!scale._isVisible() || !scale.options.ticks.display) return [];
  return scale.getLabelItems(area).map(({ label, font, textOffset, options }) => {
    const [x, y] = options.translation, { rotation, textAlign, textBaseline } = options;
    const anchor = { label, font, down: textOffset, x, y, rotation, align: textAlign, baseline: textBaseline };
    return { text: written(label), x: round(x), y: round(y), rotation: round(rotation), ...middle(scale.ctx, anchor) };
  });
};

const radialLabels = (scale) => {
  const { ticks, reverse } = scale.options, rotation = scale.getIndexAngle(0);
  if (!scale.options.display || !ticks.display) return [];
  return scale.ticks.flatMap((tick, index) => {
    if (index === 0 && scale.min >= 0 && !reverse) return [];
    const far = scale.getDistanceFromCenterForValue(tick.value);
    const x = round(scale.xCenter + far * Math.sin(rotation)), y = round(scale.yCenter - far * Math.cos(rotation));
    return [{ text: written(tick.label), x, y, rotation: round(rotation), cx: x, cy: y }];
  });
};

const scaleDump = (scale, area) => {
  const isCircle = SCALES_OF_CIRCLES.has(scale.type);
  const pixel = (tick, index) => (isCircle ? scale.getDistanceFromCenterForValue(tick.value) : scale.getPixelForTick(index));
  const dump = {
    type: scale.type, axis: scale.axis, position: plain(scale.options.position),
    display: isCircle ? !!scale.options.display : !!scale._isVisible(), ...box(scale), min: exact(scale.min), max: exact(scale.max),
    ticks: scale.ticks.map((tick, index) => ({ value: exact(tick.value), label: written(tick.label), pixel: round(pixel(tick, index)) })),
    rotation: round(scale.labelRotation || 0),
    labels: isCircle ? radialLabels(scale) : cartesianLabels(scale, area),
  };
  if (!isCircle) return dump;
  const { display, pointLabels } = scale.options;
  const items = display && pointLabels.display ? scale._pointLabelItems : [];
  return {
    ...dump, xCenter: round(scale.xCenter), yCenter: round(scale.yCenter), drawingArea: round(scale.drawingArea),
    pointLabels: items.flatMap((item, index) =>
      item.visible ? [{ label: written(scale._pointLabels[index]), x: round(item.x), y: round(item.y), ...box(item) }] : []),
  };
};

const legendDump = ({ legend }) => {
  if (!legend || !legend.options.display) return null;
  const items = (legend.legendItems || []).map((item, index) => {
    const { left, top, width, height } = legend.legendHitBoxes[index];
    return {
      text: written(item.text), fillStyle: plain(item.fillStyle), strokeStyle: plain(item.strokeStyle), lineWidth: plain(item.lineWidth),
      pointStyle: plain(item.pointStyle), left: round(left), top: round(top), width: round(width), height: round(height),
    };
  });
  return { ...box(legend), items };
};

const titlesDump = (chart) =>
  chart.boxes
    .filter((each) => each._drawArgs && each.options.display)
    .map((each) => ({ kind: each === chart.titleBlock ? "title" : "subtitle", ...box(each) }))
    .sort((one, other) => (one.kind < other.kind ? 1 : one.kind > other.kind ? -1 : 0));

const elementDump = (element) => {
  // Without animation, `getProps` returns the element itself.
  const get = (...names) => {
    const props = element.getProps(names, true);
    return Object.fromEntries(names.map((name) => [name, round(props[name])]));
  };
  const { options } = element;
  const style = {
    backgroundColor: plain(options.backgroundColor), borderColor: plain(options.borderColor), borderWidth: plain(options.borderWidth),
  };
  switch (element.constructor.id) {
    case "bar":
      return { kind: "bar", ...get("x", "y", "base", "width", "height"), horizontal: !!element.horizontal, ...style };
    case "arc":
      return { kind: "arc", ...get("x", "y", "startAngle", "endAngle", "innerRadius", "outerRadius"), ...style };
    default:
      return {
        kind: "point", ...get("x", "y"), radius: plain(options.radius), pointStyle: plain(options.pointStyle),
        rotation: plain(options.rotation), ...style, skip: !!element.skip,
      };
  }
};

const datasetDump = (chart, index) => {
  const meta = chart.getDatasetMeta(index), isShown = chart.isDatasetVisible(index);
  const dump = { index, type: meta.type, hidden: !isShown, elements: isShown ? meta.data.map(elementDump) : [] };
  if (!meta.dataset || !isShown) return dump;
  const { borderColor, borderWidth, backgroundColor, tension } = meta.dataset.options;
  const line = { borderColor, borderWidth, backgroundColor, tension };
  return { ...dump, line: plain(line) };
};

const chartDump = (chart) => ({
  width: chart.width, height: chart.height, area: box(chart.chartArea),
  scales: Object.fromEntries(Object.entries(chart.scales).map(([id, scale]) => [id, scaleDump(scale, chart.chartArea)])),
  legend: legendDump(chart), titles: titlesDump(chart),
  datasets: chart.data.datasets.map((_, index) => datasetDump(chart, index)),
});

const onCanvas = (source, width, height, use) => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  document.body.append(canvas);
  let chart;
  try {
    const configuration = JSON.parse(source);
    configuration.options = { ...configuration.options, animation: false, responsive: false, devicePixelRatio: 1 };
    chart = new Chart(canvas, configuration);
    return use(chart, canvas);
  } finally {
    if (chart) chart.destroy();
    canvas.remove();
  }
};

// Scaled: another `devicePixelRatio` would move grid lines by half a pixel.
const picture = (chart, canvas, density) => {
  const { ctx } = chart;
  canvas.width *= density;
  canvas.height *= density;
  ctx.scale(density, density);
  chart.draw();
  ctx.resetTransform();
  ctx.globalCompositeOperation = "destination-over";
  ctx.fillStyle = "#fff";
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png").split(",")[1];
};

const begin = async ([family, font]) => {
  const face = new FontFace(family, `url(data:font/ttf;base64,${font})`);
  document.fonts.add(await face.load());
  if (window.Chart) Chart.defaults.font.family = family;
};

// For each [source, width, height]: a dump, an image unless `density` is 0, or an error; and console messages.
const draw = ([orders, density]) =>
  orders.map(([source, width, height]) => {
    const complaints = [], { warn, error } = console;
    console.warn = console.error = (...words) => complaints.push(words.join(" "));
    try {
      const drawn = onCanvas(source, width, height, (chart, canvas) => ({
        dump: chartDump(chart), png: density ? picture(chart, canvas, density) : null,
      }));
      return { ...drawn, complaints, error: null };
    } catch (problem) {
      return { dump: null, png: null, complaints, error: String(problem) };
    } finally {
      Object.assign(console, { warn, error });
    }
  });

// Stacks our charts, each in a shadow root with ids of its own.
const show = ([drawings, family]) => {
  Object.assign(document.body.style, { margin: 0, background: "#fff", fontFamily: `"${family}"`, fontKerning: "none" });
  document.body.replaceChildren();
  for (const [markup, width, height] of drawings) {
    const place = document.createElement("div");
    Object.assign(place.style, { width: `${width}px`, height: `${height}px`, overflow: "hidden" });
    place.attachShadow({ mode: "open" }).innerHTML = `<style>svg { display: block }</style>${markup}`;
    document.body.append(place);
  }
};

const pixels = async (png) => {
  const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
};

// For each image and its part of a sheet, of the pixels that are not white in either: the share that is not white in both, and
// the share of nearly the same color in both.
const compare = async ([pictures, sheet]) => {
  const { data: b, width: across, height: down } = await pixels(sheet), found = [];
  let top = 0;
  for (const picture of pictures) {
    const { data: a, width, height } = await pixels(picture);
    if (width > across || top + height > down) {
      throw new Error(`a sheet of ${across} by ${down} pixels holds no ${width} by ${height} at ${top}`);
    }
    let either = 0, both = 0, like = 0;
    for (let y = 0; y < height; y += 1) {
      let place = y * width * 4, other = (top + y) * across * 4;
      for (let x = 0; x < width; x += 1, place += 4, other += 4) {
        const inOne = Math.min(a[place], a[place + 1], a[place + 2]) < 255 - 12;
        const inOther = Math.min(b[other], b[other + 1], b[other + 2]) < 255 - 12;
        if (!inOne && !inOther) continue;
        either += 1;
        if (inOne && inOther) both += 1;
        const apart = Math.max(Math.abs(a[place] - b[other]), Math.abs(a[place + 1] - b[other + 1]), Math.abs(a[place + 2] - b[other + 2]));
        if (apart <= 48) like += 1;
      }
    }
    top += height;
    found.push(either ? [both / either, like / either] : [1, 1]);
  }
  return found;
};
