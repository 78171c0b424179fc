import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { AUTHORITY, endpointSaying, proxy } from "./harness/office-network.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

type Settings = Readonly<Record<string, unknown>>;

/** The variables by which an environment names proxies and certificates: none of this machine's own count here. */
const NO_VARIABLES = Object.fromEntries(
  ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "NODE_EXTRA_CA_CERTS"].map(
    (name) => [name, ""],
  ),
);

interface Office {
  readonly settings: Settings;
  readonly environment?: Readonly<Record<string, string>>;
  readonly storagePath?: string;
}

/** A host in an office's network, and what it says of a turn with the model at that address: the text, or the error. */
async function hostIn(office: Office) {
  const host = await HostClient.start({
    settings: office.settings,
    environment: { ...NO_VARIABLES, ...office.environment },
    onEndpoint: () => true,
    ...(office.storagePath === undefined ? {} : { storagePath: office.storagePath }),
  });
  return {
    host,
    ask: (baseUrl: string) => ask(host, baseUrl),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

let teams = 0;

async function ask(host: HostClient, baseUrl: string): Promise<string> {
  const model = { provider: "openai", model: "m", baseUrl, maxRetries: 0 } as const;
  const teamId = `t${++teams}`;
  await host.send(TeamOpen, { teamId, definition: roundRobin({ names: ["ann"], model, maxTurns: 1 }) });
  const { status, messages } = await host.send(TeamRun, { teamId, task: "hello" });
  return status.message ?? String(messages.at(-1)?.content);
}

/** A turn in an office of its own. */
async function answerIn(office: Office, baseUrl: string): Promise<string> {
  await using one = await hostIn(office);
  return await one.ask(baseUrl);
}

const MODELS = "https://models.example.com/v1";

describe("a proxy", () => {
  it("of the setting http.proxy is used, with the user name and password of its address", async () => {
    await using endpoint = await endpointSaying("hello from far", "plain");
    await using office = await proxy({ to: endpoint });
    const settings = { "http.proxy": `http://me:p%40ss@127.0.0.1:${office.port}` };
    assert.equal(await answerIn({ settings }, "http://models.example.com/v1"), "hello from far");
    const authorization = `Basic ${btoa("me:p@ss")}`;
    assert.deepEqual(office.asked, [{ target: "models.example.com:80", authorization }]);
  });

  it("carries requests to an endpoint with TLS, which the proxy cannot read", async () => {
    await using endpoint = await endpointSaying("hello from far");
    await using office = await proxy({ to: endpoint });
    const settings = { "http.proxy": `http://127.0.0.1:${office.port}`, "http.proxyAuthorization": "Bearer pass" };
    const environment = { NODE_EXTRA_CA_CERTS: AUTHORITY };
    assert.equal(await answerIn({ settings, environment }, MODELS), "hello from far");
    assert.deepEqual(office.asked, [{ target: "models.example.com:443", authorization: "Bearer pass" }]);
  });

  it("of the environment is used, also without a scheme; the setting comes first", async () => {
    await using endpoint = await endpointSaying("hello from far");
    await using office = await proxy({ to: endpoint });
    const environment = { NODE_EXTRA_CA_CERTS: AUTHORITY, HTTPS_PROXY: `127.0.0.1:${office.port}` };
    assert.equal(await answerIn({ settings: {}, environment }, MODELS), "hello from far");
    await using other = await proxy({ to: endpoint });
    const settings = { "http.proxy": `http://127.0.0.1:${other.port}` };
    assert.equal(await answerIn({ settings, environment }, MODELS), "hello from far");
    assert.deepEqual([office.asked.length, other.asked.length], [1, 1]);
  });

  it("is itself reached over TLS", async () => {
    await using endpoint = await endpointSaying("hello from far");
    await using office = await proxy({ to: endpoint, secure: "tls" });
    const settings = { "http.proxy": `https://127.0.0.1:${office.port}` };
    const environment = { NODE_EXTRA_CA_CERTS: AUTHORITY };
    assert.equal(await answerIn({ settings, environment }, MODELS), "hello from far");
    const refused = await answerIn({ settings: { ...settings, "http.systemCertificates": false } }, MODELS);
    assert.match(refused, new RegExp(`^The certificate of the proxy 127\\.0\\.0\\.1:${office.port} is not trusted `));
  });

  it("is not used for excepted hosts, for this machine, or when proxies are switched off", async () => {
    await using endpoint = await endpointSaying("hello", "plain");
    await using office = await proxy({ to: endpoint });
    const settings = { "http.proxy": `http://127.0.0.1:${office.port}` };
    // An address that is not known to be this machine, although it is.
    const away = `http://0.0.0.0:${endpoint.port}/v1`;
    for (const one of [
      { settings: { ...settings, "http.noProxy": ["other.example.com", "0.0.0.0"] } },
      { settings, environment: { NO_PROXY: "0.0.0.0" } },
      { settings: { ...settings, "http.proxySupport": "off" } },
    ]) {
      assert.equal(await answerIn(one, away), "hello");
    }
    assert.equal(await answerIn({ settings }, `http://127.0.0.1:${endpoint.port}/v1`), "hello");
    assert.deepEqual(office.asked, []);
    assert.equal(await answerIn({ settings }, away), "hello");
    assert.equal(office.asked.length, 1);
  });

  it("that is in the way is named in one sentence, which says what to do and repeats no password", async () => {
    const secret = "s3cret-of-the-proxy";
    const problems = async (options: Parameters<typeof proxy>[0]): Promise<string> => {
      await using office = await proxy(options);
      const settings = { "http.proxy": `http://me:${secret}@127.0.0.1:${office.port}` };
      return (await answerIn({ settings }, MODELS)).replaceAll(String(office.port), "PORT");
    };
    assert.equal(
      await problems({ refuses: 407 }),
      "The proxy 127.0.0.1:PORT requires a sign-in (407); add the user name and password to the address in the setting `http.proxy`, or set `http.proxyAuthorization`.",
    );
    assert.equal(
      await problems({ refuses: 403 }),
      "The proxy 127.0.0.1:PORT does not allow connections to models.example.com (403); ask your administrator to allow it, or add it to `http.noProxy`.",
    );
    assert.equal(
      await problems({ refuses: 502 }),
      "The proxy 127.0.0.1:PORT could not reach models.example.com (502); check that address, or add models.example.com to `http.noProxy` if it is in your own network.",
    );
    const invalid = await answerIn({ settings: { "http.proxy": `ftp://me:${secret}@x` } }, MODELS);
    assert.match(
      invalid,
      /^The address of the proxy is not valid, so nothing was sent to models\.example\.com; correct /,
    );
    assert.ok(!invalid.includes(secret));
  });

  it("that is not there is named too", async () => {
    const gone = await proxy({});
    await gone[Symbol.asyncDispose]();
    const said = await answerIn({ settings: { "http.proxy": `http://127.0.0.1:${gone.port}` } }, MODELS);
    assert.equal(
      said,
      `Could not connect to the proxy 127.0.0.1:${gone.port} (ECONNREFUSED), through which models.example.com is reached; check the setting \`http.proxy\` or the HTTPS_PROXY of the environment, or add models.example.com to \`http.noProxy\`.`,
    );
  });

  it("keeps its password to itself: it is in no event, no log, no message to the user and no file", async () => {
    using storage = new Scratch();
    await using office = await proxy({ refuses: 407 });
    const settings = {
      "http.proxy": `http://me:first-p%40ss@127.0.0.1:${office.port}`,
      "http.proxyAuthorization": "Bearer second-pass",
    };
    await using one = await hostIn({ settings, storagePath: storage.path });
    await one.ask(MODELS);
    const { logs, shown, events } = one.host;
    await one.host.shutdown();
    const files = readdirSync(storage.path, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    assert.ok(files.length > 0);
    const all = [
      JSON.stringify([logs, shown, [...events]]),
      ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")),
    ].join("\n");
    for (const secret of ["first-p", "second-pass", btoa("me:first-p@ss")]) assert.ok(!all.includes(secret), secret);
    assert.deepEqual(office.asked, [{ target: "models.example.com:443", authorization: "Bearer second-pass" }]);
  });

  it("is used, or no longer used, as soon as the settings change", async () => {
    await using endpoint = await endpointSaying("hello", "plain");
    await using office = await proxy({ to: endpoint });
    const away = `http://0.0.0.0:${endpoint.port}/v1`;
    const settings: Record<string, unknown> = {};
    await using one = await hostIn({ settings });
    const asked: number[] = [];
    for (const address of ["", `http://127.0.0.1:${office.port}`, ""]) {
      settings["http.proxy"] = address;
      await one.host.connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
      assert.equal(await one.ask(away), "hello");
      asked.push(office.asked.length);
    }
    assert.deepEqual(asked, [0, 1, 1]);
  });
});

describe("a certificate", () => {
  const endpoints = async () => {
    const endpoint = await endpointSaying("hello");
    return { baseUrl: `https://127.0.0.1:${endpoint.port}/v1`, [Symbol.asyncDispose]: endpoint[Symbol.asyncDispose] };
  };

  it("that no known authority issued is not accepted, and the error says what to do", async () => {
    await using endpoint = await endpoints();
    const { host } = new URL(endpoint.baseUrl);
    assert.equal(
      await answerIn({ settings: {} }, endpoint.baseUrl),
      `The certificate of ${host} is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE), so nothing was sent to m; add your organization's certificate to those of the operating system, or name its file in NODE_EXTRA_CA_CERTS and restart VS Code.`,
    );
  });

  it("for another host is not accepted", async () => {
    await using endpoint = await endpoints();
    const said = await answerIn(
      { settings: {}, environment: { NODE_EXTRA_CA_CERTS: AUTHORITY } },
      endpoint.baseUrl.replace("127.0.0.1", "localhost"),
    );
    assert.match(said, /^The certificate of localhost:\d+ is not valid \(ERR_TLS_CERT_ALTNAME_INVALID\), so nothing /);
  });

  // On Linux the variable names the system's certificates; elsewhere they would have to be installed.
  const onLinux = { skip: process.platform !== "linux" };
  it("of the operating system is trusted, unless http.systemCertificates is off", onLinux, async () => {
    await using endpoint = await endpoints();
    const environment = { SSL_CERT_FILE: AUTHORITY, SSL_CERT_DIR: "" };
    await using one = await hostIn({ settings: {}, environment });
    const answers = await Promise.all([one.ask(endpoint.baseUrl), one.ask(endpoint.baseUrl)]);
    assert.deepEqual(answers, ["hello", "hello"]);
    const refused = await answerIn({ settings: { "http.systemCertificates": false }, environment }, endpoint.baseUrl);
    assert.match(refused, /^The certificate of 127\.0\.0\.1:\d+ is not trusted /);
  });

  it("of NODE_EXTRA_CA_CERTS is trusted", async () => {
    await using endpoint = await endpoints();
    const environment = { NODE_EXTRA_CA_CERTS: AUTHORITY };
    assert.equal(
      await answerIn({ settings: { "http.systemCertificates": false }, environment }, endpoint.baseUrl),
      "hello",
    );
  });

  it("is not checked with http.proxyStrictSSL off, also behind a proxy", async () => {
    await using endpoint = await endpointSaying("hello");
    const settings = { "http.proxyStrictSSL": false };
    assert.equal(await answerIn({ settings }, `https://127.0.0.1:${endpoint.port}/v1`), "hello");
    await using office = await proxy({ to: endpoint, secure: "tls" });
    const proxied = { ...settings, "http.proxy": `https://127.0.0.1:${office.port}` };
    assert.equal(await answerIn({ settings: proxied }, MODELS), "hello");
  });
});
