import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '#sandbox/processes/child-process.js';

/** A step may take so long; none takes more than some seconds on a machine that is not busy. */
const MAX_MS = 110_000;

/** A terminal: what one step sets or starts is there in the next. A command that fails ends it. */
export class GuideShell {
  private readonly shell: ChildProcess;
  private readonly notes: string;
  private steps = 0;

  constructor(folder: string, environment: Record<string, string>) {
    this.notes = mkdtempSync(join(tmpdir(), 'guide-steps-'));
    // In a process group of its own, so that what runs in the background ends with it.
    this.shell = spawn('sh', ['-e'], {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // One that has ended takes no more: `run` says which step ended it.
    this.shell.stdin!.on('error', () => undefined);
  }

  /** @returns what it has printed, errors included @throws Error with that where a command of it fails */
  async run(script: string): Promise<string> {
    const note = (what: string) => join(this.notes, `${this.steps}.${what}`);
    this.steps += 1;
    const [step, output, done] = [note('sh'), note('output'), note('done')];
    writeFileSync(step, script);
    this.shell.stdin!.write(`. '${step}' > '${output}' 2>&1 < /dev/null\n: > '${done}'\n`);
    const isOver = () => existsSync(done) || this.hasEnded;
    const inTime = await waitUntil(isOver, { timeoutMs: MAX_MS, everyMs: 20 });
    const printed = existsSync(output) ? readFileSync(output, 'utf8') : '';
    if (existsSync(done)) return printed;
    throw new Error(
      `${inTime ? 'A command of this step fails' : 'This step does not end'}:\n${script}\n${printed}`,
    );
  }

  async end(): Promise<void> {
    const ended = this.hasEnded ? undefined : once(this.shell, 'close');
    try {
      process.kill(-this.shell.pid!, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
    await ended;
    rmSync(this.notes, { recursive: true, force: true });
  }

  private get hasEnded(): boolean {
    return this.shell.exitCode !== null || this.shell.signalCode !== null;
  }
}
