/** Maximum number of skipped cycles: one minute, with a cycle every three seconds. */
const MAX_SKIPPED_CYCLES = 19;

interface Pause {
  readonly cycles: number;
  left: number;
}

/**
 * Pauses between checks of foreign endpoints and mismatched networks. The number of skipped cycles doubles, because both
 * rarely recover, and each check takes time in every process.
 */
export class RecheckBackoff {
  private readonly rests = new Map<string, Pause>();

  namesToSkip(): ReadonlySet<string> {
    const resting = [...this.rests].filter(([, rest]) => rest.left > 0);
    for (const [, rest] of resting) rest.left -= 1;
    return new Set(resting.map(([name]) => name));
  }

  recordFaulty(faulty: readonly string[], resting: ReadonlySet<string>): void {
    for (const name of [...this.rests.keys()]) {
      if (!resting.has(name) && !faulty.includes(name)) this.rests.delete(name);
    }
    for (const name of faulty) {
      const cycles = Math.min(MAX_SKIPPED_CYCLES, 2 * (this.rests.get(name)?.cycles ?? 0) + 1);
      this.rests.set(name, { cycles, left: cycles });
    }
  }
}
