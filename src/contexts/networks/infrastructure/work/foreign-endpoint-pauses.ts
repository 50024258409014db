/** Maximum number of skipped cycles: one minute, with a cycle every three seconds. */
const MAX_SKIPPED_CYCLES = 19;

interface EndpointPause {
  readonly turns: number;
  left: number;
}

/**
 * The number of skipped cycles doubles, because such endpoints rarely recover and querying them takes time in every
 * process.
 */
export class ForeignEndpointPauses {
  private readonly rests = new Map<string, EndpointPause>();

  next(): ReadonlySet<string> {
    const resting = [...this.rests].filter(([, rest]) => rest.left > 0);
    for (const [, rest] of resting) rest.left -= 1;
    return new Set(resting.map(([endpoint]) => endpoint));
  }

  found(foreign: readonly string[], resting: ReadonlySet<string>): void {
    for (const endpoint of [...this.rests.keys()]) {
      if (!resting.has(endpoint) && !foreign.includes(endpoint)) this.rests.delete(endpoint);
    }
    for (const endpoint of foreign) {
      const turns = Math.min(MAX_SKIPPED_CYCLES, 2 * (this.rests.get(endpoint)?.turns ?? 0) + 1);
      this.rests.set(endpoint, { turns, left: turns });
    }
  }
}
