import type * as z from "zod";

/** A request: its method on the wire, and the schemas of its params and result. */
export interface RequestMessage<P extends z.ZodType, R extends z.ZodType> {
  readonly kind: "request";
  readonly method: string;
  readonly params: P;
  readonly result: R;
}

/** A notification: its method on the wire, and the schema of its params. */
export interface NotificationMessage<P extends z.ZodType> {
  readonly kind: "notification";
  readonly method: string;
  readonly params: P;
}

export type ParamsOf<M> = M extends { readonly params: z.ZodType<infer P> } ? P : never;
export type ResultOf<M> = M extends { readonly result: z.ZodType<infer R> } ? R : never;

/** Declares a request. */
export const request = <P extends z.ZodType, R extends z.ZodType>(
  method: string,
  params: P,
  result: R,
): RequestMessage<P, R> => ({
  kind: "request",
  method,
  params,
  result,
});

/** Declares a notification. */
export const notification = <P extends z.ZodType>(method: string, params: P): NotificationMessage<P> => ({
  kind: "notification",
  method,
  params,
});
