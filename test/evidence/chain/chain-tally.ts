/** How often each thing happened in all runs together. */
export class Tally {
  private readonly counts = new Map<string, number>();

  count(what: string, times = 1): void {
    this.counts.set(what, this.of(what) + times);
  }

  of(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  /** The counts of one heading, most first: `lag 12, gaps 3`. */
  list(heading: string): string {
    const own = [...this.counts].filter(([what]) => what.startsWith(`${heading}: `));
    return own
      .sort(([, a], [, b]) => b - a)
      .map(([what, times]) => `${what.slice(heading.length + 2)} ${times}`)
      .join(', ');
  }
}
