import { setTimeout as pause } from 'node:timers/promises';
import type { TerminalOutput } from '../terminal/terminal-output.js';
import type { ChildExit, ServerProcess } from './child-process.js';

const PAUSE_SECONDS = 1;

/** @param onExit called when the process ends without being stopped */
export type StartServerProcess = (onExit: (exit: ChildExit) => void) => Promise<ServerProcess>;

/** Restarts a server process, after a pause, whenever it ends unexpectedly. */
export class RestartedProcess {
  private server: ServerProcess | undefined;
  private restarting: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  private constructor(
    private readonly name: string,
    private readonly startServer: StartServerProcess,
    private readonly output: TerminalOutput,
  ) {}

  /**
   * @param name subject of a sentence
   * @throws the error of the first start
   */
  static async start(
    name: string,
    startServer: StartServerProcess,
    output: TerminalOutput,
  ): Promise<RestartedProcess> {
    const restarted = new RestartedProcess(name, startServer, output);
    await restarted.run();
    return restarted;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.restarting;
    await this.server?.stop();
  }

  private async run(): Promise<void> {
    this.server = await this.startServer(({ code, signal }) => {
      this.server = undefined;
      this.restarting = this.restart(signal ?? `exit status ${code}`);
    });
  }

  private async restart(reason: string): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      this.output.print(`${this.name} ended (${reason}). It is started again in ${PAUSE_SECONDS} s.`);
      await pause(PAUSE_SECONDS * 1_000, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.run();
        return this.output.print(`${this.name} is running again.`);
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
    }
  }
}
