// Which moment does a text name, when it is a date as ISO 8601 writes it?

const DATE =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?)?)?$/;

/** Milliseconds since 1970, or undefined for what is no date. `end`: what is left out counts as its last moment instead of its first. */
export function timeOf(text: string, end: boolean): number | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const firstMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day ?? 1),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  );
  const withFractionMs = firstMs + Number(`0.${fraction ?? 0}`) * 1_000;
  const startMs = withFractionMs - zoneMinutes(zone) * 60_000;
  if (!end || fraction !== undefined) return startMs;
  return startMs + unitMs(Number(year), Number(month), match) - 1;
}

/** Length of the smallest part that was given. */
function unitMs(year: number, month: number, [, , , day, hour, minute, second]: RegExpExecArray): number {
  if (second !== undefined) return 1_000;
  if (minute !== undefined) return 60_000;
  if (hour !== undefined) return 3_600_000;
  if (day !== undefined) return 86_400_000;
  return Date.UTC(year, month, 1) - Date.UTC(year, month - 1, 1);
}

function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const digits = zone.replace(':', '');
  return Number(`${digits[0]}1`) * (Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5)));
}
