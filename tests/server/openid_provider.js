// `oidc-provider` with two clients, for `real_provider.py`. A line of standard input has its keys, whether logout tokens
// name a session, what attack it is under and who is deactivated: so it begins, or goes on at the same place. The
// issuer is printed for each.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, site] = process.argv.slice(2);
const { default: Provider, errors } = await import(pathToFileURL(`${folder}/oidc-provider/lib/index.js`));

let listener = () => {};
const server = createServer((request, response) => listener(request, response));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
// Not the host of the service: to browsers, they are two sites.
const issuer = `http://localhost:${server.address().port}`;

const callback = `${site}/signin/callback`;
let former = new URL(callback);

// RFC 9700, section 4: what is done to the response that the browser carries.
const carried = {
  "mixed-up issuer": (response) => response.searchParams.set("iss", "https://evil.example"),
  "replayed code": (response) => response.searchParams.set("code", former.searchParams.get("code")),
  "replayed response": (response) => { response.search = former.search; },
};

async function tokenForAnother(provider, { oidc }) {
  const client = await provider.Client.find("another");
  const token = new provider.IdToken(await oidc.account.claims(), { ctx: { oidc }, client });
  token.scope = "openid email";
  token.set("nonce", oidc.entities.AuthorizationCode.nonce);
  return token.issue({ use: "idtoken" });
}

async function begin({ jwks, has_sid, attack, deactivated }) {
  const provider = new Provider(issuer, {
    jwks,
    clients: [{
      client_id: "mdpublish",
      client_secret: "a secret that is long enough",
      redirect_uris: [callback],
      post_logout_redirect_uris: [`${site}/signin`],
      backchannel_logout_uri: `${site}/signout/provider`,
      backchannel_logout_session_required: has_sid,
    }, {
      client_id: "another",
      client_secret: "another that is long enough",
      redirect_uris: ["https://another.example/"],
    }],
    cookies: { keys: ["only for tests"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    pkce: { required: () => true },
    features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
    // Of its own, it reaches no address of this machine.
    fetch: (url, { dispatcher: _, ...options }) => fetch(url, options),
    findAccount: (_, id) => {
      if (deactivated.includes(id)) throw new errors.AccessDenied(`the account ${id} is deactivated`);
      return { accountId: id, claims: () => ({ sub: id, email: `${id}@example.org`, email_verified: true }) };
    },
  });
  for (const failure of ["server_error", "backchannel.error"]) {
    provider.on(failure, (...details) => console.error(failure, details.find((each) => each instanceof Error)));
  }
  provider.use(async (context, next) => {
    await next();
    const { body } = context;
    // The font of its pages is of another place.
    if (typeof body === "string") context.body = body.replace(/@import[^;]+;/, "");
    if (attack === "wrong audience" && body?.id_token) body.id_token = await tokenForAnother(provider, context);
    const location = context.response.get("location");
    if (location?.startsWith(callback)) {
      const response = new URL(location);
      carried[attack]?.(response);
      context.set("location", response.href);
      former = response;
    }
  });
  listener = provider.callback();
  const client = await provider.Client.find("mdpublish");
  for (const id of deactivated) await client.backchannelLogout(id);
}

for await (const line of createInterface({ input: process.stdin })) {
  await begin(JSON.parse(line));
  console.log(issuer);
}
process.exit();
