// After publishing, and on the owner link's page: copies of the link and of the text.

import "./site.js";
import { copies } from "./copies.js";
import { forgetPublished } from "./draft-texts.js";
import { localEnd } from "./ends.js";
import { copiedLink } from "./links.js";

forgetPublished();

for (const part of document.querySelectorAll("[data-script]")) part.hidden = false;
copiedLink(document);
localEnd(document);

const form = document.querySelector("[data-copying]");
if (form) copies(form, (message) => (form.querySelector("[data-status]").textContent = message));

// Meanwhile the page may have been kept or deleted, or somebody has signed in.
addEventListener("pageshow", (event) => event.persisted && location.reload());
