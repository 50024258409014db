/** RFC 3339, section 5.6, without leap seconds. */
const TIME =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,3})(\d{0,6}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Reads a time in ISO 8601 with `Z` or an offset, to the nanosecond at most. Times of events are whole milliseconds, so a bound
 * between two of them is the later one.
 * @returns undefined where the text is no such time
 */
export function readTime(text: string): Date | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, day, time, milliseconds = '', finer = '', zone] = match;
  // A day that its month does not have would be taken for one of the next month.
  if (!new Date(`${day}T00:00:00Z`).toISOString().startsWith(day!)) return undefined;
  const instant = new Date(`${day}T${time}.${milliseconds.padEnd(3, '0')}${zone}`);
  return new Date(instant.getTime() + (/[1-9]/.test(finer) ? 1 : 0));
}

/** The same, of the years 2000 to 2999: those that a clock in order can show. */
export function readInstant(text: string): Date | undefined {
  return text.startsWith('2') ? readTime(text) : undefined;
}
