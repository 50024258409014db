import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Steps of a transcript, and what is undone at its end. */
export class Rehearsal {
  readonly folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  private readonly begun = performance.now();
  private readonly stops: (() => unknown)[] = [];
  private steps = 0;

  /** @param play throws where something does not hold; what it started is stopped in any case */
  static async run(play: (rehearsal: Rehearsal) => Promise<void>): Promise<void> {
    const rehearsal = new Rehearsal();
    try {
      await play(rehearsal);
      process.stdout.write('The rehearsal is complete.\n');
    } finally {
      for (const stop of rehearsal.stops.reverse()) await stop();
      rmSync(rehearsal.folder, { recursive: true, force: true });
    }
  }

  step(what: string): void {
    this.steps += 1;
    const seconds = ((performance.now() - this.begun) / 1000).toFixed(1);
    process.stdout.write(`${String(this.steps).padStart(2)}. ${what} (${seconds} s)\n`);
  }

  demand(holds: boolean, what: string): void {
    if (!holds) throw new Error(`This does not hold: ${what}`);
  }

  /** The last is stopped first. */
  atEnd(stop: () => unknown): void {
    this.stops.push(stop);
  }
}
