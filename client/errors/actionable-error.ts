import type { ErrorAction } from "../common/error-actions.ts";

/** An error of the extension itself, with what the user can do about it, the likeliest first. */
export class ActionableError extends Error {
  override readonly name: string = "ActionableError";
  readonly actions: readonly ErrorAction[];

  constructor(message: string, ...actions: readonly ErrorAction[]) {
    super(message);
    this.actions = actions;
  }
}
