// After publishing, and on the owner link's page: copies of the link and of the text.

import "./times.js";
import { copies } from "./copies.js";
import { forgetPublished } from "./draft-texts.js";

forgetPublished();

for (const part of document.querySelectorAll("[data-script]")) part.hidden = false;

const field = document.querySelector("[data-link]");
const copyLink = document.querySelector("[data-copy-link]");
const { textContent: label } = copyLink;

copyLink.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Without permission, or without HTTPS.
    field.select();
    if (!document.execCommand("copy")) return;
  }
  copyLink.textContent = "Copied";
  setTimeout(() => (copyLink.textContent = label), 2000);
});
field.addEventListener("focus", () => field.select());

const form = document.getElementById("copying");
if (form) copies(form, (message) => (form.querySelector("[data-status]").textContent = message));

// Meanwhile the page may have been kept or deleted, or somebody has signed in.
addEventListener("pageshow", (event) => event.persisted && location.reload());
