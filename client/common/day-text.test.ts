import assert from "node:assert/strict";
import { test } from "node:test";
import { dayText } from "./day-text.ts";

test("threads are listed by day, and older ones by month", () => {
  const now = new Date(2026, 2, 12, 9, 0);
  const of = (...date: [number, number, number, number]): string => dayText(new Date(...date).toISOString(), now);
  assert.equal(of(2026, 2, 12, 0), "Today");
  assert.equal(of(2026, 2, 11, 23), "Yesterday");
  assert.equal(of(2026, 2, 11, 0), "Yesterday");
  assert.equal(of(2026, 2, 6, 0), "Last 7 Days");
  assert.equal(of(2026, 2, 5, 23), "March 2026");
  assert.equal(of(2025, 11, 31, 1), "December 2025");
  assert.equal(dayText("not a time", now), "Older");
});
