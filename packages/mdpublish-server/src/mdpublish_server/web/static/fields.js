// The values of a form's fields, by name.

export const TEXT = /** @type {const} */ (["content", "title", "template_id", "theme_mode", "description", "page_width"]);

const sent = (/** @type {HTMLInputElement | HTMLSelectElement} */ control) => {
  if (control instanceof HTMLSelectElement) {
    return [([...control.options].find((option) => option.defaultSelected) ?? control.options[0]).value];
  }
  if (control.type === "radio" && !control.defaultChecked) return [];
  return [control.defaultValue];
};

/** @type {<Name extends string>(names: readonly Name[], valuesOf: (name: string) => FormDataEntryValue[]) => Record<Name, string>} */
const collected = (names, valuesOf) => Object.assign({}, ...names.map((name) => ({ [name]: valuesOf(name).at(-1) ?? "" })));

/** @type {<Name extends string>(form: HTMLFormElement, names: readonly Name[]) => Record<Name, string>} */
export const current = (form, names) => {
  const data = new FormData(form);
  return collected(names, (name) => data.getAll(name));
};

/** As the server sent them: a person may type before the scripts run. @type {typeof current} */
export const original = (form, names) => {
  const enabled = /** @type {HTMLInputElement[]} */ ([...form.elements]).filter((control) => !control.disabled);
  return collected(names, (name) => enabled.filter((control) => control.name === name).flatMap(sent));
};

export const same = (/** @type {object} */ one, /** @type {object} */ other) => Object.keys(one).every((name) => Reflect.get(one, name) === Reflect.get(other, name));
