import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { isRecord } from "../../../shared/json-record.ts";

/** What the server was sent: the header of each request. */
export interface SseServer extends AsyncDisposable {
  readonly url: string;
  readonly authorizations: readonly (string | undefined)[];
}

const answers: Readonly<Record<string, unknown>> = {
  "tools/list": { tools: [{ name: "act", description: "Acts.", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: "acted over sse" }] },
};

/**
 * A server of the Model Context Protocol over HTTP with SSE, the transport that Streamable HTTP has replaced.
 * @param refusesWith its status for a request of Streamable HTTP.
 * @param opensWith its status for the stream of SSE.
 */
export async function sseServer(refusesWith = 404, opensWith = 200): Promise<SseServer> {
  const authorizations: (string | undefined)[] = [];
  let stream: ServerResponse | undefined;
  const server = createServer(async (request, response) => {
    authorizations.push(request.headers.authorization);
    if (request.method === "GET") {
      stream = response;
      response.writeHead(opensWith, { "content-type": "text/event-stream" });
      response.write("event: endpoint\ndata: /messages?session=1\n\n");
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(request.url === "/messages?session=1" ? 202 : refusesWith).end();
    const { id, method, params }: Record<string, unknown> = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) return;
    const version = isRecord(params) ? params["protocolVersion"] : undefined;
    const initialized = {
      protocolVersion: version,
      capabilities: { tools: {} },
      serverInfo: { name: "s", version: "1" },
    };
    const result = method === "initialize" ? initialized : answers[String(method)];
    stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/sse`,
    authorizations,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
