import { UsageError } from "../arguments/usage-error.ts";
import type { Telemetry } from "./telemetry.ts";

const VARIABLES = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/**
 * Starts sending spans if the user has named a collector, by `--otel-endpoint` or `OTEL_EXPORTER_OTLP_ENDPOINT`; undefined
 * otherwise. Its packages are loaded only then. @throws UsageError
 */
export async function startTelemetry(given: {
  readonly otelEndpoint: string | undefined;
  readonly otelContent: boolean;
}): Promise<Telemetry | undefined> {
  const { otelEndpoint: endpoint, otelContent: withContent } = given;
  const variable = VARIABLES.find((name) => (process.env[name] ?? "").trim() !== "");
  if (endpoint === undefined && variable === undefined) return undefined;
  // OpenTelemetry would send the spans to a collector on this computer instead.
  if (endpoint === undefined && variable !== undefined && !isAddress(process.env[variable] ?? ""))
    throw new UsageError(`${variable} is no address; set it to one such as http://localhost:4318.`);
  if (endpoint !== undefined && !isAddress(endpoint))
    throw new UsageError(`--otel-endpoint ${endpoint} is no address; write it as http://localhost:4318.`);
  const { Telemetry } = await import("./telemetry.ts");
  return new Telemetry({ endpoint, withContent });
}

const isAddress = (text: string): boolean => /^https?:\/\/./.test(text) && URL.canParse(text);
