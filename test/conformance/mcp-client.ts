// A client of Gavel's own for the scenarios of @modelcontextprotocol/conformance, which starts it with a server's address:
// it connects, calls every tool once, and ends.
import { mcpFetch } from "../../server/host/mcp/mcp-fetch.ts";
import { McpConnection } from "../../server/mcp/connection.ts";
import { directNetwork } from "../../server/models/testing/direct-network.ts";

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const never = new AbortController().signal;
let kept: string | undefined;

/** The client that the user has registered, in the scenarios that have one; the id of one can be a document on the web. */
function registered() {
  if (scenario === "auth/basic-cimd")
    return { client: { clientId: "https://conformance-test.local/client-metadata.json" } };
  const { client_id: clientId, client_secret: clientSecret } = JSON.parse(
    process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}",
  );
  return clientId === undefined ? {} : { client: { clientId, clientSecret } };
}

/** The user signs in: the authorization server sends the browser on to the address that the client listens at. */
async function signIn(address: string): Promise<void> {
  const { headers } = await fetch(address, { redirect: "manual" });
  await fetch(headers.get("location") ?? "");
}

const connection = await McpConnection.open(
  {
    name: "conformance",
    address: {
      http: {
        url,
        isSse: false,
        headers: {},
        ...registered(),
        fetch: mcpFetch({ network: directNetwork, localHosts: () => [] })(new URL(url)),
        signIn: {
          get: async () => kept,
          set: async (value) => {
            kept = value;
          },
        },
      },
    },
    roots: () => [],
    elicit: async (question) => {
      if (question.mode === "url") await signIn(question.url);
      return { action: "accept", ...(question.mode === "form" ? { content: {} } : {}) };
    },
    log: (line) => console.error(line),
    toolsChanged: () => {},
    closed: (why) => console.error(why),
  },
  never,
);
const input = scenario === "tools_call" ? { a: 5, b: 3 } : {};
for (const tool of connection.tools) {
  await connection.callTool(tool, input, { signal: never, progress: (line) => console.error(line) });
}
await connection.close();
