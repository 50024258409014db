/** With a turn every three seconds, a minute. */
const MAX_REST_TURNS = 19;

interface Rest {
  readonly turns: number;
  left: number;
}

/**
 * Which of one network's endpoints are left alone because they serve another chain: for twice as many turns each time
 * that they are found so. Few of them ever come right, and to be asked is how they can cost every process time.
 */
export class ForeignEndpointPauses {
  private readonly rests = new Map<string, Rest>();

  /** Begins a turn. @returns who is left alone in it */
  next(): ReadonlySet<string> {
    const resting = [...this.rests].filter(([, rest]) => rest.left > 0);
    for (const [, rest] of resting) rest.left -= 1;
    return new Set(resting.map(([endpoint]) => endpoint));
  }

  /** @param foreign of all that were asked */
  found(foreign: readonly string[], resting: ReadonlySet<string>): void {
    for (const endpoint of [...this.rests.keys()]) {
      if (!resting.has(endpoint) && !foreign.includes(endpoint)) this.rests.delete(endpoint);
    }
    for (const endpoint of foreign) {
      const turns = Math.min(MAX_REST_TURNS, 2 * (this.rests.get(endpoint)?.turns ?? 0) + 1);
      this.rests.set(endpoint, { turns, left: turns });
    }
  }
}
