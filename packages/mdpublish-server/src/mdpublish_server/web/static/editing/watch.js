// What happens in a frame without scripts, watched from outside: in Safari's engine, no listener that a page attaches
// there fires, but its observers do. In all engines alike; nothing runs while nothing moves or is pressed.

const STILL = 12;
// At the page's top, a corner that moves when the page is scrolled, and is wider while something is pressed.
const CORNER = "mdpublish-corner";
const STYLE = `${CORNER} { position: absolute !important; inset: 0 auto auto 0; width: 1px; height: 1px; visibility: hidden; }
:active > ${CORNER} { width: 2px; }`;

// Calls `scrolled()`, and `clicked(element, node, offset)`, whose node is null where no caret is.
/** @typedef {(element: Element, node: Node | null, offset: number) => void} Clicked */

export const watch = (/** @type {OwnFrame} */ frame, /** @type {() => void} */ scrolled, /** @type {Clicked} */ clicked) => {
  /** @type {HTMLElement | null} */
  let corner = null;
  /** @type {Document | null} */
  let styled = null;
  /** @type {IntersectionObserver | null} */
  let edge = null;
  let top = 0;
  let still = STILL;
  /** @type {Element | null} */
  let pressed = null;
  let isPressed = false;

  const move = () => {
    const { scrollY } = frame.contentWindow;
    still = scrollY === top ? still + 1 : 0;
    if (!still) {
      top = scrollY;
      scrolled();
    }
    if (still < STILL) requestAnimationFrame(move);
    else stand();
  };

  // The corner's surroundings, a pixel on each side: what is scrolled further leaves them.
  const stand = () => {
    edge?.disconnect();
    const { innerHeight, scrollY } = frame.contentWindow;
    top = scrollY;
    edge = new IntersectionObserver(
      ([{ intersectionRatio }]) => {
        if (intersectionRatio === 1 || still < STILL) return;
        still = 0;
        move();
      },
      { root: frame.contentDocument, rootMargin: `${top + 1}px 9px ${2 - top - innerHeight}px 9px`, threshold: 1 },
    );
    if (corner) edge.observe(corner);
  };

  const note = () => {
    isPressed = document.activeElement === frame && Boolean(frame.contentDocument?.querySelector(":active"));
    if (isPressed) pressed = [...frame.contentDocument.querySelectorAll("body :active")].at(-1) ?? pressed;
    return isPressed;
  };

  // A selection is nothing but a selection; a click leaves its caret, or at least was seen pressed.
  const press = () => {
    if (note()) {
      requestAnimationFrame(press);
      return;
    }
    const element = pressed;
    pressed = null;
    if (document.activeElement !== frame) return;
    const selection = frame.contentDocument.getSelection();
    const target = element ?? selection?.anchorNode?.parentElement;
    if (!selection?.isCollapsed || !target) return;
    const { anchorNode, anchorOffset } = selection;
    selection.removeAllRanges();
    clicked(target, anchorNode, anchorOffset);
  };

  const sizes = new ResizeObserver((changes) => {
    if (!corner?.isConnected) return;
    if (!isPressed && changes.some(({ target }) => target === corner)) press();
    if (still >= STILL) stand();
  });

  const begin = () => {
    const shown = frame.contentDocument;
    if (!shown?.body) return;
    // Blocks of the page were replaced, and the corner stays.
    if (corner?.isConnected && styled === shown) {
      stand();
      return;
    }
    if (corner) sizes.unobserve(corner);
    corner = shown.createElement(CORNER);
    shown.documentElement.append(corner);
    if (styled !== shown) {
      // The policy of a page may allow no element with a style.
      const sheet = new frame.contentWindow.CSSStyleSheet();
      sheet.replaceSync(STYLE);
      shown.adoptedStyleSheets.push(sheet);
      styled = shown;
    }
    sizes.observe(corner);
    stand();
  };

  // The mouse gives the frame the focus, before its caret; what it presses may be released before the next frame.
  addEventListener("blur", () => {
    note();
    requestAnimationFrame(press);
  });
  sizes.observe(frame);
  frame.addEventListener("load", begin);
  frame.addEventListener("rendered", begin);
  begin();
};
