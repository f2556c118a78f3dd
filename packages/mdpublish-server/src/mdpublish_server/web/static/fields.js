// The values of a form's fields, by name.

export const TEXT = ["content", "title", "template_id", "theme_mode", "description", "page_width"];

const sent = (control) => {
  if (control instanceof HTMLSelectElement) {
    return [([...control.options].find((option) => option.defaultSelected) ?? control.options[0]).value];
  }
  if (["checkbox", "radio"].includes(control.type) && !control.defaultChecked) return [];
  return [control.defaultValue];
};

const collected = (names, valuesOf) => Object.fromEntries(names.map((name) => [name, valuesOf(name).at(-1) ?? ""]));

export const current = (form, names) => {
  const data = new FormData(form);
  return collected(names, (name) => data.getAll(name));
};

// As the server sent them: a person may type before the scripts run.
export const original = (form, names) => {
  const enabled = [...form.elements].filter((control) => !control.disabled);
  return collected(names, (name) => enabled.filter((control) => control.name === name).flatMap(sent));
};

export const same = (one, other) => Object.keys(one).every((name) => one[name] === other[name]);
