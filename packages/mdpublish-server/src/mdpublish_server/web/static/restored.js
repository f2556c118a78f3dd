// A page from the back/forward cache may have a nonce that was used, and not know who is signed in now.

export const restored = async (/** @type {Workbench} */ form) => {
  const response = await fetch(location.pathname);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  form.elements.nonce.value = page.querySelector("[name=nonce]")?.value ?? "";
  const navigation = page.querySelector(".masthead .tabs");
  if (navigation) document.querySelector(".masthead .tabs")?.replaceWith(document.adoptNode(navigation));
};
