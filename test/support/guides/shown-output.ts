/** Values that differ from run to run are compared by these shapes. Everything else in a shown output is compared as it is. */
const SHAPES = {
  token: /naspip;[\w.-]+;[\w.-]+;v4\.public\.[\w-]*…/,
  apiKey: /svc\.(?:dev|stg|prd)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
  uuid: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
  hash: /0x[0-9a-f]{64}/,
  address: /0x[0-9a-fA-F]{40}/,
  time: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/,
  second: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/,
  secret: /whsec_[A-Za-z0-9]{44}/,
  port: /127\.0\.0\.1:\d+/,
  page: /\/(?:checkout|link|subscription)\/[\w-]{22,32}/,
  invitation: /\/app\/invitation\/[\w-]{43}/,
  block: /block \d+/,
  invariants: /\d+ invariants|invariants +\d+/,
} as const;
type Shape = keyof typeof SHAPES;

const ANY_SHAPE = new RegExp(
  Object.entries(SHAPES)
    .map(([name, shape]) => `(?<${name}>${shape.source})`)
    .join('|'),
  'g',
);
/** A value of these kinds that a guide shows twice is the same one twice, and two are two. */
const KEPT: readonly Shape[] = ['apiKey', 'uuid', 'hash', 'address', 'secret'];
/** A guide shows the front of a payment token alone. */
const PRINTED: Partial<Record<Shape, string>> = {
  token: String.raw`naspip;[\w.-]+;[\w.-]+;v4\.public\.[\w.-]+`,
};

/** Compares what a guide shows of its commands' output with what they print, over the whole guide. */
export class ShownOutput {
  /** Each value that stands in the guide has the one of this run. */
  private readonly meant = new Map<string, string>();

  /** @returns what differs, as a sentence; undefined where nothing does */
  difference(shown: string, printed: string): string | undefined {
    const [expected, got] = [linesOf(shown), linesOf(printed)];
    for (const [index, line] of expected.entries()) {
      const actual = got[index];
      const fault = actual === undefined ? 'is not printed' : this.faultOf(line, actual);
      if (fault !== undefined) return `"${line}" ${fault}`;
    }
    if (got.length > expected.length) return `"${got[expected.length]}" is printed and not shown`;
    return undefined;
  }

  private faultOf(shown: string, printed: string): string | undefined {
    const { pattern, values } = patternOf(shown);
    const match = pattern.exec(printed);
    if (match === null) return `is printed as "${printed}"`;
    for (const [index, value] of values.entries()) {
      const actual = match[index + 1]!;
      if (value === undefined) continue;
      const meant = this.meant.get(value) ?? actual;
      if (meant !== actual) return `shows ${value}, which was ${meant} before and is ${actual} now`;
      const other = [...this.meant].find(([key, each]) => each === actual && key !== value)?.[0];
      if (other !== undefined) return `shows ${value} and ${other}, and ${actual} is both`;
      this.meant.set(value, actual);
    }
    return undefined;
  }
}

function linesOf(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** @returns what matches the line, and for each group the value that is kept of it */
function patternOf(shown: string): { pattern: RegExp; values: (string | undefined)[] } {
  let source = '^';
  let from = 0;
  const values: (string | undefined)[] = [];
  for (const match of shown.matchAll(ANY_SHAPE)) {
    const [shape] = Object.entries(match.groups!).find(([, value]) => value !== undefined) as [Shape, string];
    source += `${literal(shown.slice(from, match.index))}(${PRINTED[shape] ?? SHAPES[shape].source})`;
    values.push(KEPT.includes(shape) ? match[0] : undefined);
    from = match.index + match[0].length;
  }
  return { pattern: new RegExp(`${source}${literal(shown.slice(from))}$`), values };
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
