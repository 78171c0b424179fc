import { GavelError } from "../../../shared/contract/errors.ts";

/** The error that `work` is rejected with. @throws when it is not rejected, or not with a GavelError. */
export async function rejectionOf(work: () => unknown): Promise<GavelError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof GavelError) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}
