import * as z from "zod";

/**
 * Whether what happens is stored: it is (`saving`); it cannot be at present, and the runs that needed it are paused
 * (`failing`); or the user has decided to continue all the same (`unsaved`). `message` says why.
 */
export const StorageStatus = z.object({
  state: z.enum(["saving", "failing", "unsaved"]),
  message: z.string().exactOptional(),
});
export type StorageStatus = z.infer<typeof StorageStatus>;
