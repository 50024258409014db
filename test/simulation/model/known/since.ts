/**
 * Something that is known from a moment on. An exchange that was sent before that moment may still be answered by what was so
 * before: it asks for what was known when it was sent.
 */
export class Since<T> {
  private readonly kept: { readonly at: number; readonly value: T }[] = [];

  constructor(private readonly first: T) {}

  learn(at: number, value: T): void {
    const last = this.kept[this.kept.length - 1];
    if (last !== undefined && last.value === value) return;
    if (last !== undefined && last.at === at) this.kept.pop();
    this.kept.push({ at, value });
    if (this.kept.length > 24) this.kept.shift();
  }

  /** The value that was known before this moment. */
  before(sentAt: number): T {
    for (let index = this.kept.length - 1; index >= 0; index -= 1) {
      const each = this.kept[index]!;
      if (each.at < sentAt) return each.value;
    }
    return this.first;
  }

  latest(): T {
    return this.kept[this.kept.length - 1]?.value ?? this.first;
  }
}

/** How long a change may be carried out after its caller gave up. */
const UNDER_WAY = 30_000;

/** Values in force one after another, as facts tell them. */
export class Timeline<T> {
  private readonly values: { readonly from: number; readonly until: number; readonly value: T }[] = [];

  /** A change that happened between two moments. */
  change(value: T, from: number, until = from): void {
    this.values.push({ from, until, value });
  }

  /** Every value that may have been in force at some moment of a span. */
  within(from: number, until: number): T[] {
    const found: T[] = [];
    // The start of the change that was certainly over before the span: only what overlaps it may have come after it.
    let last = -Infinity;
    for (let index = this.values.length - 1; index >= 0; index -= 1) {
      const each = this.values[index]!;
      const end = each.until === Infinity ? each.from + UNDER_WAY : each.until;
      if (end <= last) break;
      if (each.from <= until) found.push(each.value);
      if (each.until < from && last === -Infinity) last = each.from;
    }
    return found;
  }

  latest(): T | undefined {
    return this.values[this.values.length - 1]?.value;
  }
}
