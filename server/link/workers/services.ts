import { newId } from "../../engine/index.ts";
import type { Link, LinkMessage } from "../link.ts";

/** The name under which workers are found by the tools of NATS, such as `nats micro list`. */
const SERVICE = "gavel-worker";
const TYPE = "io.nats.micro.v1";

export interface ServiceOptions {
  /** Of Gavel, in the form of Semantic Versioning. */
  readonly version: string;
  /** The worker's name, its space and its node. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly endpoint: { readonly name: string; readonly subject: string; readonly queue: string };
  /** Answers a request to the endpoint. @throws what failed. */
  readonly answer: (data: Uint8Array) => Uint8Array;
}

/**
 * Registers an endpoint as a service of NATS, which answers for its health: `PING`, `INFO` and `STATS` on `$SRV`, for all
 * services, those of a name, and one instance (https://github.com/nats-io/nats-architecture-and-design, ADR-32).
 * @returns a function that ends it.
 */
export function registerService(link: Link, options: ServiceOptions): () => void {
  const { version, metadata, endpoint, answer } = options;
  const id = newId("service");
  const started = new Date().toISOString();
  const counts = { num_requests: 0, num_errors: 0, last_error: "", processing_time: 0 };
  const about = { name: SERVICE, id, version, metadata };
  const described = { name: endpoint.name, subject: endpoint.subject, queue_group: endpoint.queue };
  const answers: Readonly<Record<string, () => object>> = {
    PING: () => ({ type: `${TYPE}.ping_response`, ...about }),
    INFO: () => ({
      type: `${TYPE}.info_response`,
      ...about,
      description: "Runs participants, models and tools for teams of Gavel.",
      endpoints: [{ ...described, metadata: {} }],
    }),
    STATS: () => ({
      type: `${TYPE}.stats_response`,
      ...about,
      started,
      endpoints: [
        {
          ...described,
          ...counts,
          average_processing_time:
            counts.num_requests === 0 ? 0 : Math.round(counts.processing_time / counts.num_requests),
        },
      ],
    }),
  };
  const releases = Object.entries(answers).flatMap(([verb, build]) =>
    [`$SRV.${verb}`, `$SRV.${verb}.${SERVICE}`, `$SRV.${verb}.${SERVICE}.${id}`].map((subject) =>
      link.subscribe(subject, (message) => message.respond(asJson(build()))),
    ),
  );
  const receive = (message: LinkMessage): void => {
    const begun = performance.now();
    counts.num_requests++;
    try {
      message.respond(answer(message.data));
    } catch (error) {
      counts.num_errors++;
      counts.last_error = error instanceof Error ? error.message : String(error);
    }
    counts.processing_time += Math.round((performance.now() - begun) * 1e6);
  };
  releases.push(link.subscribe(endpoint.subject, receive, endpoint.queue));
  return () => {
    for (const release of releases) release();
  };
}

const asJson = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
