/** What speaks with workers: loaded when one is first needed. */
export { Loopback } from "./loopback.ts";
export { WorkerLink } from "./worker-link.ts";
