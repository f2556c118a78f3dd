// `oidc-provider` with one client, for `test_openid_provider.py`. A line of standard input has its keys and
// whether logout tokens name a session: so it begins, or goes on at the same place. The issuer is printed for each.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, site] = process.argv.slice(2);
const { default: Provider } = await import(pathToFileURL(`${folder}/oidc-provider/lib/index.js`));

let listener = () => {};
const server = createServer((request, response) => listener(request, response));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

function begin({ jwks, has_sid }) {
  const provider = new Provider(issuer, {
    jwks,
    clients: [{
      client_id: "mdpublish",
      client_secret: "a secret that is long enough",
      redirect_uris: [`${site}/signin/callback`],
      post_logout_redirect_uris: [`${site}/signin`],
      backchannel_logout_uri: `${site}/signout/provider`,
      backchannel_logout_session_required: has_sid,
    }],
    cookies: { keys: ["only for tests"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    pkce: { required: () => true },
    features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
    // Of its own, it reaches no address of this machine.
    fetch: (url, { dispatcher: _, ...options }) => fetch(url, options),
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.org`, email_verified: true }),
    }),
  });
  for (const failure of ["server_error", "backchannel.error"]) {
    provider.on(failure, (...details) => console.error(failure, details.find((each) => each instanceof Error)));
  }
  listener = provider.callback();
}

for await (const line of createInterface({ input: process.stdin })) {
  begin(JSON.parse(line));
  console.log(issuer);
}
process.exit();
