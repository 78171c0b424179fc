import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { test } from "node:test";
import type { ElicitQuestion } from "../../shared/contract/mcp-question.ts";
import { isRecord } from "../../shared/json-record.ts";
import { parseJson } from "../../shared/parse-json.ts";
import { McpConnection } from "./connection.ts";

const never = new AbortController().signal;

/** A server with two tools, and where its user signs in. */
class SignInServer implements AsyncDisposable {
  /** Until then no sign-in is needed. */
  isOpen = true;
  /** What the calls of `fail` have done. */
  effects = 0;
  tokens = 0;
  clients = 0;
  /** What the next refusals of calls wait for. */
  readonly refusals: Promise<void>[] = [];
  #refused = Promise.withResolvers<void>();
  readonly questions: ElicitQuestion[] = [];
  answer: (url: string) => Promise<void> = async (url) => this.signIn(url);
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async connect(): Promise<McpConnection> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    let kept: string | undefined;
    const signIn = {
      get: async () => kept,
      set: async (value: string | undefined) => {
        kept = value;
      },
    };
    return McpConnection.open(
      {
        name: "s",
        address: { http: { url: `${this.#origin}/mcp`, isSse: false, headers: {}, fetch, signIn } },
        roots: () => [],
        elicit: async (question) => {
          this.questions.push(question);
          if (question.mode === "url") await this.answer(question.url);
          return { action: "accept" };
        },
        log: () => {},
        toolsChanged: () => {},
        closed: () => {},
      },
      never,
    );
  }

  /** Resolves when a call is about to be refused. */
  nextRefusal(): Promise<void> {
    this.#refused = Promise.withResolvers<void>();
    return this.#refused.promise;
  }

  /** The user signs in: the browser is sent on to the address that the client listens at. */
  async signIn(address: string, answer?: Readonly<Record<string, string>>): Promise<void> {
    const url = new URL(address);
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    const given = answer ?? { code: url.searchParams.get("client_id") ?? "" };
    for (const [name, value] of Object.entries(given)) back.searchParams.set(name, value);
    back.searchParams.set("state", url.searchParams.get("state") ?? "");
    assert.equal((await fetch(back)).status, 200);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  get #origin(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<undefined> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const json = (value: unknown, status = 200): undefined =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const origin = this.#origin;
    switch (request.url?.split("?")[0]) {
      case "/.well-known/oauth-protected-resource":
      case "/.well-known/oauth-protected-resource/mcp":
        return json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
      case "/.well-known/oauth-authorization-server":
        return json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
        });
      case "/register":
        this.clients += 1;
        return json({ ...parsed(body), client_id: `client ${this.clients}` }, 201);
      case "/token": {
        const asked = new URLSearchParams(body);
        // The code is the client's that the user signed in for.
        const isRight = asked.get("code") === asked.get("client_id");
        if (!isRight) return json({ error: "invalid_grant", error_description: "another client's code" }, 400);
        this.tokens += 1;
        return json({ access_token: "t", token_type: "Bearer" });
      }
      case "/mcp":
        if (request.method !== "POST") return void response.writeHead(405).end();
        return this.#message(request, parsed(body), json, response);
      default:
        return void response.writeHead(404).end();
    }
  }

  async #message(
    request: IncomingMessage,
    { id, method, params }: Readonly<Record<string, unknown>>,
    json: (value: unknown, status?: number) => undefined,
    response: ServerResponse,
  ): Promise<undefined> {
    const result = (value: unknown): undefined => json({ jsonrpc: "2.0", id, result: value });
    const { name } = isRecord(params) ? params : {};
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "initialize")
      return result({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "s", version: "1" },
      });
    if (method === "tools/list")
      return result({ tools: ["ask", "fail"].map((tool) => ({ name: tool, inputSchema: { type: "object" } })) });
    if (method !== "tools/call") return json({ jsonrpc: "2.0", id, error: { code: -32_601, message: "unknown" } });
    if (name === "fail") {
      this.effects += 1;
      return json({ jsonrpc: "2.0", id, error: { code: -32_000, message: "out of cheese" } });
    }
    if (!this.isOpen && request.headers.authorization === undefined) {
      this.#refused.resolve();
      await this.refusals.shift();
      const metadata = `${this.#origin}/.well-known/oauth-protected-resource/mcp`;
      return void response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}"` }).end();
    }
    return result({ content: [{ type: "text", text: "asked" }] });
  }
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  const value = parseJson(body);
  return isRecord(value) ? value : {};
}

function callOf(connection: McpConnection, name: string): Promise<unknown> {
  const tool = connection.tools.find((one) => one.name === name);
  assert.ok(tool);
  return connection.callTool(tool, {}, { signal: never, progress: () => {} });
}

test("a call that failed by itself is not sent again while the user signs in for another", async () => {
  await using server = new SignInServer();
  const connection = await server.connect();
  server.isOpen = false;
  const opened = Promise.withResolvers<void>();
  const signed = Promise.withResolvers<void>();
  server.answer = async (url) => {
    // The user has opened the page, and signs in later.
    void signed.promise.then(() => server.signIn(url));
    setImmediate(opened.resolve);
  };
  const asking = callOf(connection, "ask");
  await opened.promise;
  const failing = assert.rejects(callOf(connection, "fail"), /out of cheese/);
  while (server.effects === 0) await new Promise((resolve) => setImmediate(resolve));
  signed.resolve();
  await failing;
  assert.equal(await asking, "asked");
  assert.equal(server.effects, 1);
  await connection.close();
});

test("calls that need a sign-in at the same time ask for one", async () => {
  await using server = new SignInServer();
  const connection = await server.connect();
  server.isOpen = false;
  const calls = Array.from({ length: 5 }, () => callOf(connection, "ask"));
  assert.deepEqual(
    await Promise.all(calls),
    Array.from({ length: 5 }, () => "asked"),
  );
  assert.equal(server.questions.length, 1);
  assert.equal(server.tokens, 1);
  assert.equal(server.clients, 1);
  await connection.close();
});

test("a call that is refused after a sign-in has ended is sent again with what it brought", async () => {
  await using server = new SignInServer();
  const connection = await server.connect();
  server.isOpen = false;
  const refusal = Promise.withResolvers<void>();
  server.refusals.push(refusal.promise);
  const late = callOf(connection, "ask");
  await server.nextRefusal();
  assert.equal(await callOf(connection, "ask"), "asked");
  refusal.resolve();
  assert.equal(await late, "asked");
  assert.equal(server.questions.length, 1);
  await connection.close();
});

test("says why the authorization server did not let the user sign in, and asks again at the next call", async () => {
  await using server = new SignInServer();
  const connection = await server.connect();
  server.isOpen = false;
  server.answer = async (url) => server.signIn(url, { error: "access_denied", error_description: "not on Mondays" });
  await assert.rejects(callOf(connection, "ask"), /did not let you sign in: not on Mondays/);
  server.answer = async (url) => server.signIn(url);
  assert.equal(await callOf(connection, "ask"), "asked");
  assert.equal(server.questions.length, 2);
  await connection.close();
});
