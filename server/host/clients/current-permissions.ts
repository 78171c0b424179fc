import type { EndpointPermissions } from "../client-services/endpoint-permissions.ts";
import type { AllowedPrograms } from "../client-services/program-permissions.ts";
import type { Clients } from "./clients.ts";

/** What the user who acts allows. What one user has allowed says nothing of what another allows. */
export class CurrentPermissions {
  readonly endpoints: Pick<EndpointPermissions, "isAllowed">;
  readonly programs: AllowedPrograms;
  readonly #clients: Clients;
  readonly #listeners = new Set<(digest: string) => void>();

  constructor(clients: Clients) {
    this.#clients = clients;
    this.endpoints = { isAllowed: (question, signal) => clients.now.endpoints.isAllowed(question, signal) };
    this.programs = {
      isAllowed: (program, signal) => clients.now.programs.isAllowed(program, signal),
      onForgotten: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  /** An endpoint is no longer allowed by the user who acts. */
  forgetEndpoint(origin: string): void {
    this.#clients.now.endpoints.forget(origin);
  }

  /** A program is no longer allowed by the user who acts: it ends, also for the others. */
  forgetProgram(digest: string): void {
    this.#clients.now.programs.forget(digest);
    for (const listener of this.#listeners) listener(digest);
  }
}
