const DAY = 86_400_000;

/** The day of an ISO 8601 time as a heading of a list, seen from `now`: Today, Yesterday, Last 7 Days, its month. */
export function dayText(iso: string, now = new Date()): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "Older";
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (time.getTime() >= today) return "Today";
  if (time.getTime() >= today - DAY) return "Yesterday";
  if (time.getTime() >= today - 6 * DAY) return "Last 7 Days";
  return time.toLocaleDateString("en", { month: "long", year: "numeric" });
}
