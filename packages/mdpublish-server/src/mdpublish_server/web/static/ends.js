// When a page ends: asked for in the reader's zone, sent in UTC, which is asked for without scripts.

export const localEnd = (/** @type {ParentNode} */ root) => {
  const field = root.querySelector("[name=expires_at]");
  if (!field) return;
  root.querySelector("[data-utc]")?.remove();
  // Swedes write dates as ISO 8601 does.
  if (field.value) field.value = new Date(`${field.value}Z`).toLocaleString("sv").slice(0, 16).replace(" ", "T");
  field.form?.addEventListener("formdata", ({ formData }) => field.value && formData.set(field.name, new Date(field.value).toISOString().slice(0, 16)));
};
