import { UsageError } from "../arguments/usage-error.ts";
import type { Telemetry } from "./telemetry.ts";

/**
 * Starts sending spans if the user has named a collector, by `--otel-endpoint` or `OTEL_EXPORTER_OTLP_ENDPOINT`; undefined
 * otherwise. Its packages are loaded only then. @throws UsageError
 */
export async function startTelemetry(given: {
  readonly otelEndpoint: string | undefined;
  readonly otelContent: boolean;
}): Promise<Telemetry | undefined> {
  const { otelEndpoint: endpoint, otelContent: withContent } = given;
  const variable =
    process.env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "";
  if (endpoint === undefined && variable === "") return undefined;
  if (endpoint !== undefined && !/^https?:\/\/./.test(endpoint)) {
    throw new UsageError(`--otel-endpoint ${endpoint} is no address; write it as http://localhost:4318.`);
  }
  const { Telemetry } = await import("./telemetry.ts");
  return new Telemetry({ endpoint, withContent });
}
