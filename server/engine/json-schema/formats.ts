/** Whether a text has the format of that name. Formats that are not known match any text. All take linear time. */
export function matchesFormat(name: string, text: string): boolean {
  return FORMATS.get(name)?.(text) ?? true;
}

const matching =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

const PERCENT = "%[0-9a-f]{2}";
const URI_TEXT = new RegExp(`^(?:[\\w.~:/?#[\\]@!$&'()*+,;=-]|${PERCENT})*$`, "i");
const VARIABLE = `(?:\\w|${PERCENT})+(?:\\.(?:\\w|${PERCENT})+)*(?::[1-9]\\d{0,3}|\\*)?`;
const TEMPLATE_TEXT = new RegExp(
  `^(?:[^\\x00-\\x20\\x7f"<>%\\\\^\`{|}]|${PERCENT}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*$`,
  "i",
);

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;
const IN_DAY = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const DURATION = new RegExp(`^P(?:\\d+W|(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)(?:${IN_DAY})?|${IN_DAY})$`);

function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = DATE.exec(text)?.map(Number) ?? [];
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

/** A time with its zone (RFC 3339). The second 60 is only at the end of a UTC day. */
function isTime(text: string): boolean {
  const found = TIME.exec(text);
  if (found === null) return false;
  const [hour = 0, minute = 0, second = 0] = found.slice(1, 4).map(Number);
  const [zoneHour, zoneMinute] = [Number(found[5] ?? 0), Number(found[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59) return false;
  const zone = (found[4] === "-" ? -1 : 1) * (zoneHour * 60 + zoneMinute);
  return second < 60 || (hour * 60 + minute - zone + 2880) % 1440 === 1439;
}

const isDateTime = (text: string): boolean =>
  /^[t\s]$/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));

const isHostname = (text: string): boolean =>
  text.length <= 253 && text.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));

const isIpv4 = (text: string): boolean => {
  const parts = text.split(".", 5);
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
};

const isIpv6 = (text: string): boolean =>
  text.length <= 45 && /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [name, host] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || name.length > 64) return false;
  const isName = name.startsWith('"')
    ? /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/.test(name)
    : /^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(name) && !/^\.|\.\.|\.$/.test(name);
  const address = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : undefined;
  if (address === undefined) return isName && isHostname(host);
  return isName && (/^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address));
}

const isUri = (text: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(text) && isUriReference(text);

function isUriReference(text: string): boolean {
  const [, authority, rest = ""] = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?(.*)$/is.exec(text) ?? [];
  const at = authority?.lastIndexOf("@") ?? -1;
  const host = authority?.slice(at + 1) ?? "";
  const isHost = host.startsWith("[") ? isHostLiteral(host) : !/[[\]]/.test(host) && /^[^:]*(?::\d*)?$/.test(host);
  const isUser = !/[[\]@]/.test(authority?.slice(0, Math.max(0, at)) ?? "");
  return URI_TEXT.test(text) && isHost && isUser && !/[[\]]|#.*#/s.test(rest);
}

function isHostLiteral(host: string): boolean {
  const [, address = ""] = /^\[([^\]]*)\](?::\d*)?$/.exec(host) ?? [];
  return isIpv6(address) || /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(address);
}

function isRegex(text: string): boolean {
  try {
    return new RegExp(text, "u") !== undefined && !/\\Z/.test(text);
  } catch {
    return false;
  }
}

const POINTER = "(?:/(?:[^~/]|~[01])*)*";

const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", isDate],
  ["time", isTime],
  ["date-time", isDateTime],
  ["duration", matching(DURATION)],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["uri", isUri],
  ["url", isUri],
  ["uri-reference", isUriReference],
  ["uri-template", matching(TEMPLATE_TEXT)],
  ["uuid", matching(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i)],
  ["regex", isRegex],
  ["json-pointer", matching(new RegExp(`^${POINTER}$`))],
  ["json-pointer-uri-fragment", matching(new RegExp(`^#(?:/(?:[\\w.!$&'()*+,;:=@-]|${PERCENT}|~[01])*)*$`, "i"))],
  ["relative-json-pointer", matching(new RegExp(`^(?:0|[1-9]\\d*)(?:#|${POINTER})$`))],
]);
