import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";

// Readers for plain JSON that has not been validated. Each returns an empty value for any other shape.

export const asRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
