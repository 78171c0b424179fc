// A complete client of the agent host, with nothing but Node: `node minimal-client.mjs PATH/TO/server.js`.
// It opens a team, interrupts it while it speaks, and lets it continue.
import { spawn } from "node:child_process";

const host = spawn(process.execPath, [process.argv[2], "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map(); // open requests by id
let lastId = 0;
let onEvent = () => {};

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  host.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
  host.stdin.write(body);
}

function request(method, params) {
  const id = ++lastId;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function receive({ id, method, params, result, error }) {
  if (method === "team/event") onEvent(params.event);
  else if (method !== undefined && id !== undefined) {
    // A request of the host. This client has no keys, tools or documents.
    send({ id, error: { code: -32601, message: `This client does not know ${method}.` } });
  } else if (method === undefined) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(`${error.data?.code ?? error.code}: ${error.message}`));
  }
}

let input = Buffer.alloc(0);
host.stdout.on("data", (bytes) => {
  input = Buffer.concat([input, bytes]);
  for (;;) {
    const headEnd = input.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(input.toString("utf8", 0, headEnd))[1]);
    if (input.length < headEnd + 4 + length) return;
    const message = JSON.parse(input.toString("utf8", headEnd + 4, headEnd + 4 + length));
    input = input.subarray(headEnd + 4 + length);
    receive(message);
  }
});

await request("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
send({ method: "initialized", params: {} });

// The practice model needs no key: it speaks these lines, 20 words a second.
const lines = {
  ann: ["One two three four five six seven eight nine ten.", "As I said: ten."],
  bob: ["Thank you, Ann."],
};
const definition = {
  name: "Counting",
  kind: "roundRobin",
  participants: [{ name: "ann" }, { name: "bob" }],
  models: { default: { provider: "practice", pace: 20, lines } },
  maxTurns: 2,
};
const { teamId } = await request("team/open", { definition });

const heard = new Promise((resolve) => {
  onEvent = (event) => event.type === "message/chunk" && event.delta.includes("three") && resolve();
});
const run = request("team/run", { teamId, task: "Please count." });
await heard;
const receipt = await request("team/interrupt", { teamId, reason: "The phone rings." });
console.log(`${(await run).stopReason}, ${receipt.status}: ${receipt.partials[0].content}…`);

const { messages, stopReason } = await request("team/run", { teamId });
for (const { source, content } of messages) console.log(`${source}: ${content}`);
console.log(stopReason);

await request("shutdown");
send({ method: "exit" });
