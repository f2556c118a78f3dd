// The values of a form's fields, by name.

export const TEXT = /** @type {const} */ (["content", "title", "template_id", "theme_mode", "description", "page_width"]);

/** By how many bytes a text is over its limit; a unit of UTF-16 has at most three. */
export const excess = (/** @type {HTMLTextAreaElement} */ { value, dataset }) => {
  const limit = Number(dataset.maxBytes ?? Infinity);
  return value.length * 3 > limit ? Math.max(0, new Blob([value]).size - limit) : 0;
};

/** @type {<Name extends string>(form: HTMLFormElement, names: readonly Name[]) => Record<Name, string>} */
export const current = (form, names) => {
  // Of a long text, a copy of the form costs more than all else that a key does.
  const controls = /** @type {HTMLInputElement[]} */ ([...form.elements]).filter((each) => !each.matches(":disabled") && (each.checked || !["checkbox", "radio"].includes(each.type)));
  return Object.assign({}, ...names.map((name) => ({ [name]: controls.findLast((each) => each.name === name)?.value ?? "" })));
};

export const same = (/** @type {object} */ one, /** @type {object} */ other) => Object.keys(one).every((name) => Reflect.get(one, name) === Reflect.get(other, name));
