// A whole session with a client that knows the types, and nothing else, of the service's OpenAPI description.

import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { argv: string[] };

const [url, key] = process.argv.slice(2) as [string, string];
const client = createClient<paths>({ baseUrl: `${url}/v1`, headers: { Authorization: `Bearer ${key}` } });

const received = <T>({ data, error }: { data?: T; error?: unknown }): T => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};
const equal = (one: unknown, other: unknown) => {
  if (one !== other) throw new Error(`${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
};

const converted = received(await client.POST("/convert", { body: { markdown: "*a*", destination: "slack" } }));
equal(converted.html, "_a_\n");

// Fields with a default can be left out.
const created = received(await client.POST("/documents", { body: { content: "# Garden day" } }));
const params = { path: { id: created.id } };
equal(received(await client.GET("/documents/{id}", { params })).content, "# Garden day");
equal(received(await client.PATCH("/documents/{id}", { params, body: { title: "Garden" } })).title, "Garden");
equal(received(await client.GET("/documents", { params: { query: { limit: 1 } } })).data[0]?.title, "Garden");

const published = received(await client.POST("/documents/{id}/publish", { params, body: {} }));
equal((await fetch(published.published_url)).status, 200);
equal(received(await client.DELETE("/documents/{id}/publish", { params })).is_published, false);
equal(received(await client.DELETE("/documents/{id}", { params })).success, true);

const { error, response } = await client.GET("/documents/{id}", { params });
// A code that comes later has a type, too.
const code: components["schemas"]["ErrorDetail"]["code"] | undefined = error?.error.code;
equal(`${response.status} ${code}`, "404 not_found");
const later: components["schemas"]["ErrorDetail"]["code"] = "a_later_code";
equal(typeof later, "string");

equal(received(await client.GET("/templates", { params: { query: { category: "free" } } })).total, 8);
equal(received(await client.GET("/usage")).tier, "pro");
console.log("done");
