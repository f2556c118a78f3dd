// When a page ends: asked for in the reader's zone, sent in UTC, which is asked for without scripts.

export const localEnd = (/** @type {ParentNode} */ root) => {
  const field = root.querySelector("[name=expires_at]");
  if (!field) return;
  root.querySelector("[data-utc]")?.remove();
  if (field.value) {
    const date = new Date(`${field.value}Z`);
    date.setMinutes(date.getMinutes() - date.getTimezoneOffset());
    field.value = date.toISOString().slice(0, 16);
  }
  field.form?.addEventListener("formdata", ({ formData }) => field.value && formData.set(field.name, new Date(field.value).toISOString().slice(0, 16)));
};
