import { GavelError } from "../../shared/contract/errors.ts";
import type { ErrorAction } from "../common/error-actions.ts";
import { errorActions } from "../common/error-actions.ts";
import { ActionableError } from "./actionable-error.ts";

/** What a user can do about something that was thrown. `teamFile` is the URI of the file that defines the team at fault. */
export function errorActionsFor(error: unknown, teamFile: string | undefined): readonly ErrorAction[] {
  if (error instanceof ActionableError) return error.actions;
  return error instanceof GavelError ? errorActions(error.data, teamFile) : [];
}
