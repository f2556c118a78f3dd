// A page from the back/forward cache may have a nonce that was used, and not know who is signed in now.

import { pageOf } from "./elements.js";

export const restored = async (/** @type {Workbench} */ form) => {
  const page = await pageOf(await fetch(location.pathname));
  form.elements.nonce.value = page.querySelector("[name=nonce]")?.value ?? "";
  const navigation = page.querySelector(".masthead .tabs");
  if (navigation) document.querySelector(".masthead .tabs")?.replaceWith(document.adoptNode(navigation));
};
