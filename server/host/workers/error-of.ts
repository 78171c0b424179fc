import { GavelError } from "../../../shared/contract/errors.ts";
import { ToolInterrupt } from "../../engine/index.ts";
import type { Answered } from "./link/worker-link.ts";

type Failure = Extract<Answered<unknown>, { kind: "failed" }>["error"];

/** What a worker has failed with, as an error of this process. */
export function errorOf(failure: Failure): Error {
  switch (failure.kind) {
    case "gavel":
      return new GavelError(failure.message, failure.data);
    case "tool":
      return new ToolInterrupt(failure.data);
    case "abort":
      return new DOMException(failure.message, "AbortError");
    default:
      return new Error(failure.message);
  }
}
