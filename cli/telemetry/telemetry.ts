import { subscribe } from "node:diagnostics_channel";
import { ClientRequest } from "node:http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { isRecord } from "../../shared/json-record.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { VERSION } from "../version.ts";
import { TeamSpans } from "./team-spans.ts";

/** How long the collector may take for the last spans, in milliseconds; a command does not wait longer for it. */
const MAX_END_MS = 5_000;

export interface TelemetryOptions {
  /** The user's collector; undefined for that of `OTEL_EXPORTER_OTLP_ENDPOINT`, which the exporter reads itself. */
  readonly endpoint: string | undefined;
  readonly withContent: boolean;
}

/** Sends spans of runs to the user's own collector, by OTLP over HTTP. */
export class Telemetry implements AsyncDisposable {
  readonly #provider: TracerProvider;
  readonly #spans: TeamSpans;

  constructor({ endpoint, withContent }: TelemetryOptions) {
    subscribe("http.client.request.start", keepsNoProcess);
    const exporter = new OTLPTraceExporter({
      timeoutMillis: MAX_END_MS,
      ...(endpoint === undefined ? {} : { url: `${endpoint.replace(/\/$/, "")}/v1/traces` }),
    });
    const name = process.env["OTEL_SERVICE_NAME"] ?? "gavel";
    this.#provider = new TracerProvider({
      resource: defaultResource().merge(resourceFromAttributes({ "service.name": name, "service.version": VERSION })),
      spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: MAX_END_MS })],
    });
    this.#spans = new TeamSpans(this.#provider.getTracer("gavel", VERSION), { withContent });
  }

  add(event: TeamEvent, state: TeamState): void {
    this.#spans.add(event, state);
  }

  /** Sends what is left. A collector that does not answer changes nothing else. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#spans.end();
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, MAX_END_MS);
    await Promise.race([this.#provider.shutdown().catch(() => undefined), limit.promise]);
    clearTimeout(timer);
  }
}

/** All requests of this process are to the collector. One that never ends its answer must not keep the process. */
function keepsNoProcess(message: unknown): void {
  const request = isRecord(message) ? message["request"] : undefined;
  if (!(request instanceof ClientRequest)) return;
  if (request.socket === null) request.once("socket", (socket) => socket.unref());
  else request.socket.unref();
}
