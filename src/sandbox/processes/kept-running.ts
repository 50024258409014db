import type { ChildExit } from './child-process.js';
import type { Screen } from '../terminal/screen.js';

/** A server of the sandbox, as long as its process lives. */
export interface Part {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the part. @param onExit to be called when it ends without being stopped */
export type StartPart = (onExit: (exit: ChildExit) => void) => Promise<Part>;

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 3_000;
/** What ran this long is started again after the first pause. */
const STEADY_AFTER = 60_000;

/** A part that is started again, after a pause, whenever it ends by itself. */
export class KeptRunning {
  private part: Part | undefined;
  private pause = FIRST_PAUSE;
  private startedAt = 0;
  private stopping = false;
  private restarting: Promise<void> = Promise.resolve();
  private cancelPause: () => void = () => undefined;

  private constructor(
    private readonly name: string,
    private readonly begin: StartPart,
    private readonly screen: Screen,
  ) {}

  /** @param name as the subject of a sentence @throws whatever the first start throws */
  static async start(name: string, begin: StartPart, screen: Screen): Promise<KeptRunning> {
    const kept = new KeptRunning(name, begin, screen);
    await kept.run();
    return kept;
  }

  /** Undefined between two lives. */
  get pid(): number | undefined {
    return this.part?.pid;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.cancelPause();
    await this.restarting;
    await this.part?.stop();
  }

  private async run(): Promise<void> {
    this.startedAt = performance.now();
    this.part = await this.begin((exit) => {
      this.part = undefined;
      if (!this.stopping) this.restarting = this.restart(reasonOf(exit));
    });
  }

  private async restart(reason: string): Promise<void> {
    if (performance.now() - this.startedAt > STEADY_AFTER) this.pause = FIRST_PAUSE;
    for (let why = reason; !this.stopping;) {
      this.screen.say(`${this.name} ended (${why}). It is started again in ${this.pause / 1_000} s.`);
      await this.rest();
      if (this.stopping) return;
      try {
        await this.run();
        this.screen.say(`${this.name} is running again.`);
        return;
      } catch (error) {
        why = error instanceof Error ? error.message : String(error);
      }
    }
  }

  private rest(): Promise<void> {
    const pause = this.pause;
    this.pause = Math.min(pause * 2, LONGEST_PAUSE);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.cancelPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function reasonOf({ code, signal }: ChildExit): string {
  return signal ?? `exit status ${code}`;
}
