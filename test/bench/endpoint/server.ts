import { createServer, type ServerResponse } from "node:http";
import { piece, TURN_PIECES } from "./script.ts";

/**
 * A process that is only an OpenAI-compatible endpoint, so that it shares no event loop with what is measured. The path says
 * how it answers: `/CALLER/PIECES/MS/v1/chat/completions` streams PIECES chunks, one each MS milliseconds (0: at once). It
 * reports to its parent which caller closed a connection before the answer ended, and when.
 */
const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => answer(request.url ?? "", body, response));
});
// Connections stay open while other contenders run.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : undefined });
});
process.on("disconnect", () => process.exit());

/** The rest of an event after its id. */
const event = (choices: readonly object[], more: object = {}): string => {
  const chunk = { object: "chat.completion.chunk", created: 1_700_000_000, model: "bench" };
  return `,${JSON.stringify({ ...chunk, choices, ...more }).slice(1)}\n\n`;
};
const said = (at: number): string =>
  event([{ index: 0, delta: { ...(at === 0 ? { role: "assistant" } : {}), content: piece(at) }, finish_reason: null }]);
const finish = event([{ index: 0, delta: {}, finish_reason: "stop" }]);
const usage = event([], { usage: { prompt_tokens: 10, completion_tokens: 40, total_tokens: 50 } });
/** Prepared in advance, to keep the endpoint's own work small. */
const prepared = Array.from({ length: TURN_PIECES }, (_, at) => said(at));
let answers = 0;

function answer(url: string, body: string, response: ServerResponse): void {
  const [, caller, ...pace] = url.split("/");
  const [pieces, interval] = pace.map(Number);
  // A unique id, as from any endpoint: some clients treat two messages with the same id as one.
  const head = `data: {"id":"chatcmpl-${++answers}"`;
  const end = (): void => {
    const asked = /"include_usage":\s*true/.test(body) ? `${head}${usage}` : "";
    response.end(`${head}${finish}${asked}data: [DONE]\n\n`);
  };
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  if (!interval) {
    for (let at = 0; at < (pieces ?? 0); at++) response.write(head + (prepared[at] ?? said(at)));
    end();
    return;
  }
  let at = 0;
  const timer = setInterval(() => {
    if (at < (pieces ?? 0)) {
      response.write(head + said(at++));
      return;
    }
    clearInterval(timer);
    end();
  }, interval);
  response.on("close", () => {
    clearInterval(timer);
    if (!response.writableFinished) process.send?.({ closed: caller, at: String(process.hrtime.bigint()) });
  });
}
