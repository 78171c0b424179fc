import { GavelError, messageOf, storageError } from "../../../../shared/contract/errors.ts";

const INTEGRITY = /^23/;
/** Of data, constraints, transactions that waited for each other, statements, and limits. */
const OF_STATEMENTS = /^(22|23|40|42|54)/;
const CANNOT_REACH = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

/** PostgreSQL's code of an error (postgresql.org/docs/current/errcodes-appendix.html), or that of the system. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Whether the server has refused rows, not the connection failed. */
export const isRefusal = (error: unknown): boolean => INTEGRITY.test(codeOf(error) ?? "");

/** Whether the server has refused a statement, so that others may succeed. */
export const isOfStatement = (error: unknown): boolean => OF_STATEMENTS.test(codeOf(error) ?? "");

/** Two transactions have waited for each other; the one with this error can be tried again at once. */
export const isRepeatable = (error: unknown): boolean => ["40001", "40P01"].includes(codeOf(error) ?? "");

/** A failure of the server `name` as an error for the user; a GavelError is returned as it is. */
export function serverFailure(error: unknown, name: string): GavelError {
  return error instanceof GavelError ? error : storageError(sentenceOf(error, name), { cause: error });
}

function sentenceOf(error: unknown, name: string): string {
  const code = codeOf(error) ?? "";
  const message = messageOf(error);
  if (CANNOT_REACH.has(code))
    return `The store ${name} cannot be reached (${code}); check the network and that it runs.`;
  if (/timeout/i.test(message)) return `The store ${name} does not answer; check the network and that it runs.`;
  if (code === "28P01" || code === "28000")
    return `The store ${name} does not accept the user or the password; correct its address.`;
  if (code === "3D000") return `The store ${name} has no such database; make it, or correct the address.`;
  if (code === "42501")
    return `The user of the store ${name} is not allowed to do that (${message}); give it the right.`;
  if (code === "53100") return `The disk of the store ${name} is full; free some space there.`;
  if (code === "53300")
    return `The store ${name} has too many connections; raise max_connections, or stop other programs.`;
  if (code === "25006") return `The store ${name} can only be read (a standby, or read-only); use its primary server.`;
  if (code.startsWith("57P"))
    return `The store ${name} is being stopped or started (${message}); Gavel tries again by itself.`;
  if (/certificate|self.signed/i.test(`${code} ${message}`))
    return `The certificate of the store ${name} is not accepted (${message}); give its authority as sslrootcert.`;
  if (/SSL/i.test(message)) return `The store ${name} cannot be reached with TLS (${message}); check sslmode.`;
  return `The store ${name} could not be read or written: ${message}.`;
}
