import type { ChildExit } from './child-process.js';
import type { TerminalOutput } from '../terminal/terminal-output.js';

/** A running server process of the sandbox. */
export interface ServerProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the process. @param onExit to be called when it ends without being stopped */
export type StartServerProcess = (onExit: (exit: ChildExit) => void) => Promise<ServerProcess>;

const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 3_000;
/** A process that ran this long is restarted after the first pause. */
const STEADY_AFTER = 60_000;

/** Restarts a server process, after a pause, whenever it ends by itself. */
export class SupervisedProcess {
  private part: ServerProcess | undefined;
  private pause = FIRST_PAUSE;
  private startedAt = 0;
  private stopping = false;
  private restarting: Promise<void> = Promise.resolve();
  private cancelPause: () => void = () => undefined;

  private constructor(
    private readonly name: string,
    private readonly startServer: StartServerProcess,
    private readonly output: TerminalOutput,
  ) {}

  /** @param name as the subject of a sentence @throws whatever the first start throws */
  static async start(
    name: string,
    begin: StartServerProcess,
    output: TerminalOutput,
  ): Promise<SupervisedProcess> {
    const supervised = new SupervisedProcess(name, begin, output);
    await supervised.run();
    return supervised;
  }

  /** Undefined while it is being restarted. */
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
    this.part = await this.startServer((exit) => {
      this.part = undefined;
      if (!this.stopping) this.restarting = this.restart(reasonOf(exit));
    });
  }

  private async restart(reason: string): Promise<void> {
    if (performance.now() - this.startedAt > STEADY_AFTER) this.pause = FIRST_PAUSE;
    for (let why = reason; !this.stopping;) {
      this.output.print(`${this.name} ended (${why}). It is started again in ${this.pause / 1_000} s.`);
      await this.waitBeforeRestart();
      if (this.stopping) return;
      try {
        await this.run();
        this.output.print(`${this.name} is running again.`);
        return;
      } catch (error) {
        why = error instanceof Error ? error.message : String(error);
      }
    }
  }

  private waitBeforeRestart(): Promise<void> {
    const pause = this.pause;
    this.pause = Math.min(pause * 2, MAX_PAUSE);
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
