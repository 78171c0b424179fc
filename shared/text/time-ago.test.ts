import assert from "node:assert/strict";
import { test } from "node:test";
import { timeAgo } from "./time-ago.ts";

const now = Date.parse("2026-06-15T12:00:00.000Z");
const ago = (seconds: number): string => timeAgo(new Date(now - seconds * 1000).toISOString(), now);

test("a past time is shown in the largest unit that fits", () => {
  assert.equal(ago(0), "just now");
  assert.equal(ago(59), "just now");
  assert.equal(ago(60), "1 minute ago");
  assert.equal(ago(59 * 60), "59 minutes ago");
  assert.equal(ago(5 * 3600), "5 hours ago");
  assert.equal(ago(24 * 3600), "yesterday");
  assert.equal(ago(3 * 86_400), "3 days ago");
  assert.equal(ago(70 * 86_400), "2 months ago");
  assert.equal(ago(800 * 86_400), "2 years ago");
});

test("a time in the future, as with a clock that is behind, is shown as just now", () => {
  assert.equal(ago(-300), "just now");
});

test("an invalid time is shown as nothing", () => {
  assert.equal(timeAgo("soon", now), "");
});
