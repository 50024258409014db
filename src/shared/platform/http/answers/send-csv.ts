import { once } from 'node:events';
import type { Response } from 'express';
import { csvRecord, type CsvCell } from './csv.js';

export interface DownloadTimeLimits {
  readonly stalled: number;
  readonly whole: number;
}

export interface CsvFile {
  readonly name: string;
  readonly header: readonly string[];
  /** Batches of CSV records. The next batch is read only after the previous one has been sent. */
  readonly batches: AsyncGenerator<readonly (readonly CsvCell[])[], void>;
}

const CSV_CHUNK_LENGTH = 16 * 1024;

/**
 * An error in the first batch gets an ordinary error answer. After a later error, the connection is closed without
 * ending the body, so that a truncated file never looks complete.
 */
export async function sendCsv(response: Response, file: CsvFile, times: DownloadTimeLimits): Promise<void> {
  const pace = new PacedSender(response, times);
  try {
    let batch = await file.batches.next();
    response.status(200);
    response.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present');
    response.setHeader('Content-Disposition', `attachment; filename="${file.name}"`);
    let text = csvRecord(file.header);
    for (; batch.done !== true; batch = await file.batches.next()) {
      pace.restartTimeLimit();
      for (const record of batch.value) {
        text += csvRecord(record);
        if (text.length < CSV_CHUNK_LENGTH) continue;
        await pace.send(text);
        text = '';
      }
    }
    await pace.send(text);
    response.end();
  } catch (error) {
    if (!(error instanceof DownloadAborted)) throw error;
    response.destroy();
  } finally {
    pace.end();
    await file.batches.return();
  }
}

class DownloadAborted extends Error {}

class PacedSender {
  private readonly over = new AbortController();
  private readonly stop = () => this.over.abort();
  private readonly stalled: NodeJS.Timeout;
  private readonly whole: NodeJS.Timeout;

  constructor(
    private readonly response: Response,
    times: DownloadTimeLimits,
  ) {
    this.stalled = setTimeout(this.stop, times.stalled);
    this.whole = setTimeout(this.stop, times.whole);
    response.once('close', this.stop);
  }

  restartTimeLimit(): void {
    if (this.over.signal.aborted) throw new DownloadAborted();
    this.stalled.refresh();
  }

  async send(text: string): Promise<void> {
    const isTaken = this.response.write(text);
    this.stalled.refresh();
    try {
      if (!isTaken) await once(this.response, 'drain', { signal: this.over.signal });
    } catch (error) {
      throw this.over.signal.aborted ? new DownloadAborted() : error;
    }
  }

  end(): void {
    clearTimeout(this.stalled);
    clearTimeout(this.whole);
    this.response.off('close', this.stop);
  }
}
