import * as z from "zod";
import { ERROR_CODES, type ErrorCode, GavelError, messageOf } from "../../../shared/contract/errors.ts";
import { AbandonedError, ToolInterrupt, UndeliveredError } from "../../engine/index.ts";

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** An error as it goes over a link. */
export const RemoteError = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("gavel"),
    message: z.string(),
    data: z.looseObject({ code: z.enum(codes) }),
  }),
  z.strictObject({ kind: z.literal("tool"), data: z.unknown().optional() }),
  z.strictObject({ kind: z.enum(["undelivered", "abandoned", "abort", "other"]), message: z.string() }),
]);
export type RemoteError = z.infer<typeof RemoteError>;

/**
 * Stacks stay where they are: paths of a machine tell others nothing. Errors are known by their names, as they may be of
 * another bundle.
 */
export function asData(error: unknown): RemoteError {
  const message = messageOf(error);
  const name = error instanceof Error ? error.name : "";
  const given = RemoteError.safeParse({ kind: "gavel", message, data: dataOf(error) });
  if (name === "GavelError" && given.success) return given.data;
  if (name === "ToolInterrupt") return { kind: "tool", data: dataOf(error) };
  if (error instanceof UndeliveredError) return { kind: "undelivered", message };
  if (error instanceof AbandonedError) return { kind: "abandoned", message };
  return { kind: name === "AbortError" ? "abort" : "other", message };
}

const dataOf = (error: unknown): unknown => (error instanceof Error && "data" in error ? error.data : undefined);

export function asError(data: RemoteError): Error {
  switch (data.kind) {
    case "gavel":
      return new GavelError(data.message, data.data);
    case "tool":
      return new ToolInterrupt(data.data);
    case "undelivered":
      return new UndeliveredError(data.message);
    case "abandoned":
      return new AbandonedError(data.message);
    case "abort":
      return new DOMException(data.message, "AbortError");
    case "other":
      return new Error(data.message);
  }
}
