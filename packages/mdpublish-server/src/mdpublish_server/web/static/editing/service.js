// What the editor asks the service for.

import { pathOf } from "../preview.js";

// Raises an error with what the server says, or with what to do.
/** @type {(form: Workbench, path: string, body: Blob | Record<string, string>, options?: RequestInit) => Promise<any>} */
export const ask = async (form, path, body, options = {}) => {
  let response;
  try {
    response = await fetch(path.startsWith("/import") ? path : pathOf(form, path), {
      method: "POST",
      body: body instanceof Blob ? body : new URLSearchParams(body),
      headers: { Accept: "application/json" },
      ...options,
    });
  } catch {
    throw new Error("No connection; check it and try again");
  }
  const answer = await response.json().catch(() => ({ error: "The server did not answer as expected; try again" }));
  if (!response.ok) throw new Error(answer.error?.message ?? answer.error ?? "Try again");
  return answer;
};
