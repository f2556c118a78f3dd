// Returns each block below the opening: where its text or box begins and ends in px, whether it is beside the one before, and what is painted.
() => {
  const painted = element => {
    const style = getComputedStyle(element);
    const sides = ["top", "right", "bottom", "left"].filter(side => parseFloat(style[`border-${side}-width`]) > 0.5);
    const ground = style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.borderImageSource !== "none";
    return [...sides, ...(ground ? ["ground"] : [])];
  };
  let bottom = 0;
  return [...document.querySelectorAll("main > *, .part > *, .footnotes li")]
    .filter(block => !block.matches(".part, .meta, h1, .lead, .footnotes") && block.checkVisibility())
    .map(block => {
      const box = block.getBoundingClientRect(), text = document.createRange();
      text.selectNodeContents(block);
      const ink = painted(block).length ? box : text.getBoundingClientRect();
      const isBeside = box.top < bottom - 8;
      bottom = box.bottom;
      const part = block.closest(".part");
      return {left: ink.left, right: ink.right, isBeside, paint: [...painted(block), ...(part ? painted(part).map(each => `part ${each}`) : [])]};
    });
}
