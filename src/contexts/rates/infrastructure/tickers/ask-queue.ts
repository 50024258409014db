import type { RatesSettings } from '../rates-settings.js';

/** Too many were waiting, or one waited too long: it was not asked, and what the answer were is not known. */
export class TooManyAsks extends Error {}

export interface QueuedAsk<T> {
  readonly answer: Promise<T>;
  /** Somebody waits for it now. */
  readonly hurry: () => void;
}

/** Lets a few asks run at once. Those that somebody waits for come before the others, and no line grows without end. */
export class AskQueue {
  private running = 0;
  private readonly awaited = new Set<Turn>();
  private readonly behind = new Set<Turn>();

  constructor(private readonly limits: Pick<RatesSettings, 'atOnce' | 'waiting' | 'waitMs'>) {}

  /** The answer rejects with TooManyAsks where the ask never ran. */
  enter<T>(ask: () => Promise<T>, isAwaited: boolean): QueuedAsk<T> {
    const turn = new Turn();
    if (this.running < this.limits.atOnce) {
      this.running += 1;
      turn.begin();
    } else {
      this.wait(turn, isAwaited ? this.awaited : this.behind);
    }
    const answer = turn.begun.then(() => ask().finally(() => this.next()));
    return { answer, hurry: () => this.hurry(turn) };
  }

  private wait(turn: Turn, line: Set<Turn>): void {
    if (line.size >= this.limits.waiting) return turn.refuse();
    line.add(turn);
    turn.refuseAfter(this.limits.waitMs, () => {
      this.awaited.delete(turn);
      this.behind.delete(turn);
    });
  }

  private hurry(turn: Turn): void {
    if (this.awaited.size < this.limits.waiting && this.behind.delete(turn)) this.awaited.add(turn);
  }

  private next(): void {
    for (const line of [this.awaited, this.behind]) {
      const [turn] = line;
      if (turn === undefined) continue;
      line.delete(turn);
      return turn.begin();
    }
    this.running -= 1;
  }
}

class Turn {
  begin!: () => void;
  refuse!: () => void;
  private timer?: NodeJS.Timeout;
  readonly begun = new Promise<void>((resolve, reject) => {
    this.begin = () => {
      clearTimeout(this.timer);
      resolve();
    };
    this.refuse = () => reject(new TooManyAsks('Too many are waiting to ask.'));
  });

  refuseAfter(ms: number, leave: () => void): void {
    this.timer = setTimeout(() => {
      leave();
      this.refuse();
    }, ms).unref();
  }
}
