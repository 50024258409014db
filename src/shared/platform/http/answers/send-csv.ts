import { once } from 'node:events';
import type { Response } from 'express';
import { csvRecord, type CsvCell } from './csv.js';

/** How long a download may take, in milliseconds. */
export interface DownloadTimes {
  /** For the next batch, and for the next 16 KiB, the size of what a response keeps before it asks to wait. */
  readonly stalled: number;
  /** In all. */
  readonly whole: number;
}

export interface CsvFile {
  readonly name: string;
  readonly header: readonly string[];
  /** Records by batches; the next batch is asked for once the last is on its way. */
  readonly batches: AsyncGenerator<readonly (readonly CsvCell[])[], void>;
}

const PIECE = 16 * 1024;

/**
 * Sends a file of any length, with no more of it in memory than a batch. The first batch comes before the status, so that
 * what fails at once is an ordinary error. What fails later, a client that takes nothing for long, and one that takes too
 * long in all, end the connection without the end of the body: a file that was cut off is never taken for a whole one.
 * @throws what a batch throws
 */
export async function sendCsv(response: Response, file: CsvFile, times: DownloadTimes): Promise<void> {
  const pace = new Pace(response, times);
  try {
    let batch = await file.batches.next();
    response.status(200);
    response.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present');
    response.setHeader('Content-Disposition', `attachment; filename="${file.name}"`);
    let text = csvRecord(file.header);
    for (; batch.done !== true; batch = await file.batches.next()) {
      pace.goOn();
      for (const record of batch.value) {
        text += csvRecord(record);
        if (text.length < PIECE) continue;
        await pace.send(text);
        text = '';
      }
    }
    await pace.send(text);
    response.end();
  } catch (error) {
    if (!(error instanceof ClientStopped)) throw error;
    response.destroy();
  } finally {
    pace.end();
    await file.batches.return();
  }
}

/** The client is gone, or takes too long; the access log says that the answer was not finished. */
class ClientStopped extends Error {}

/** Sending is as fast as the client takes it, within the times. */
class Pace {
  private readonly over = new AbortController();
  private readonly stop = () => this.over.abort();
  private readonly stalled: NodeJS.Timeout;
  private readonly whole: NodeJS.Timeout;

  constructor(
    private readonly response: Response,
    times: DownloadTimes,
  ) {
    this.stalled = setTimeout(this.stop, times.stalled);
    this.whole = setTimeout(this.stop, times.whole);
    response.once('close', this.stop);
  }

  /** A batch has come. @throws ClientStopped */
  goOn(): void {
    if (this.over.signal.aborted) throw new ClientStopped();
    this.stalled.refresh();
  }

  /** @throws ClientStopped */
  async send(text: string): Promise<void> {
    const isTaken = this.response.write(text);
    this.stalled.refresh();
    try {
      if (!isTaken) await once(this.response, 'drain', { signal: this.over.signal });
    } catch (error) {
      throw this.over.signal.aborted ? new ClientStopped() : error;
    }
  }

  end(): void {
    clearTimeout(this.stalled);
    clearTimeout(this.whole);
    this.response.off('close', this.stop);
  }
}
