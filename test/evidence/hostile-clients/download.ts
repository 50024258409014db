import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

export interface ReadFile {
  readonly records: number;
  /** MD5 of the first cell of each record, in their order, each with a line feed. */
  readonly ids: string;
  readonly sha256: string;
  /** The body came to its end. */
  readonly isWhole: boolean;
}

/** A file of CSV that a client reads only as far as a test asks; in between it takes nothing from its connection. */
export class Download {
  private readonly whole = createHash('sha256');
  private readonly ids = createHash('md5');
  private lines = 0;
  private rest = '';

  private constructor(private readonly answer: IncomingMessage) {}

  static async begin(url: string, headers: Record<string, string>): Promise<Download> {
    const [answer] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
    answer.on('error', () => undefined);
    return new Download(answer);
  }

  get status(): number {
    return this.answer.statusCode!;
  }

  /** Stops reading once it has so many records. */
  async readSome(records: number): Promise<void> {
    await this.readWhile(() => this.lines <= records);
  }

  async readOn(): Promise<ReadFile> {
    await this.readWhile(() => true);
    const [ids, sha256] = [this.ids.digest('hex'), this.whole.digest('hex')];
    return { records: this.lines - 1, ids, sha256, isWhole: this.answer.complete };
  }

  drop(): void {
    this.answer.destroy();
  }

  private async readWhile(isEnough: () => boolean): Promise<void> {
    const stopped = Promise.withResolvers<void>();
    const read = (chunk: Buffer) => {
      this.take(chunk);
      if (isEnough()) return;
      this.answer.pause();
      stopped.resolve();
    };
    this.answer.on('data', read).once('close', stopped.resolve).resume();
    await stopped.promise;
    this.answer.off('data', read).off('close', stopped.resolve);
  }

  private take(chunk: Buffer): void {
    this.whole.update(chunk);
    const lines = (this.rest + chunk.toString('latin1')).split('\r\n');
    this.rest = lines.pop()!;
    for (const line of lines) {
      if (this.lines > 0) this.ids.update(`${line.slice(0, line.indexOf(','))}\n`);
      this.lines += 1;
    }
  }
}
