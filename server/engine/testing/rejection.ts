import { GavelError } from "../../../shared/contract/errors.ts";

/** What `work` is refused with. @throws when it is not refused, or with no error of the contract. */
export async function rejectionOf(work: () => unknown): Promise<GavelError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof GavelError) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}
