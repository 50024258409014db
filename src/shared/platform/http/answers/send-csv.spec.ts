import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import express, { type Response } from 'express';
import { sendCsv, type CsvFile, type DownloadTimeLimits } from './send-csv.js';

const PATIENT: DownloadTimeLimits = { stalled: 60_000, whole: 60_000 };
/** Number of batches that is more than the socket buffers of both sides can hold. */
const ENDLESS = 1_000_000;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Download {
  readonly answer: IncomingMessage;
  /** Returns the received text. Rejects if the connection closes before the file is complete. */
  text(): Promise<string>;
  /** Resolves when the server has finished sending. */
  readonly sent: Promise<unknown>;
  readonly batchesRead: () => number;
  /** True after the server has closed the source of the records. */
  readonly isReleased: () => boolean;
}

type Records = readonly (readonly string[])[] | undefined;

/** @param records returns the records of a batch, by the batch's number */
async function download(
  records: (batch: number) => Records | Promise<Records>,
  times = PATIENT,
): Promise<Download> {
  let read = 0;
  let released = false;
  async function* batches() {
    try {
      for (let batch = await records(0); batch !== undefined; batch = await records(read)) {
        read += 1;
        yield batch;
      }
    } finally {
      released = true;
    }
  }
  let sent: Promise<unknown> = Promise.resolve();
  const file: CsvFile = { name: 'a.csv', header: ['one', 'two'], batches: batches() };
  const answering = (_: unknown, response: Response) => {
    sent = sendCsv(response, file, times).catch((error: unknown) => {
      // The application's error filter does the same.
      response.destroy();
      return error;
    });
  };
  server = createServer(express().get('/', answering));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return {
    answer,
    async text() {
      let text = '';
      for await (const chunk of answer) text += String(chunk);
      return text;
    },
    get sent() {
      return sent;
    },
    batchesRead: () => read,
    isReleased: () => released,
  };
}

const line = ['a'.repeat(500), 'b'.repeat(500)];
const batchOf = (records: number) => Array.from({ length: records }, () => line);

describe('A file of CSV that is sent', () => {
  it('contains a header line and all records, and has a type and a name', async () => {
    const { answer, text } = await download((n) => (n < 3 ? [[`${n}`, 'x,y']] : undefined));

    expect(await text()).toBe('one,two\r\n0,"x,y"\r\n1,"x,y"\r\n2,"x,y"\r\n');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="a.csv"',
    });
  });

  it('ends without its last chunk when a batch fails, and reports the error to the sender', async () => {
    const started = await download((n) => {
      if (n === 3) throw new Error('the database is gone');
      return batchOf(100);
    });

    await expect(started.text()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await started.sent).toEqual(new Error('the database is gone'));
    expect(started.isReleased()).toBe(true);
  });

  it('waits for a slow client, and is cut off when the client reads nothing for too long', async () => {
    const started = await download((n) => (n < ENDLESS ? batchOf(100) : undefined), {
      ...PATIENT,
      stalled: 300,
    });
    started.answer.pause();

    await started.sent;

    // The server reads only as many batches as fit the socket buffers (some megabytes), not the complete file.
    expect(started.batchesRead()).toBeLessThan(1_000);
    expect(started.isReleased()).toBe(true);
    await expect(started.text()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('is cut off when the total time is exceeded', async () => {
    const started = await download((n) => (n < ENDLESS ? batchOf(10) : undefined), {
      ...PATIENT,
      whole: 200,
    });

    await expect(started.text()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await started.sent;
    expect(started.isReleased()).toBe(true);
  });

  it.each([
    ['with records', batchOf(100)],
    ['without records', []],
  ])('is no longer read after its client disconnects, during batches %s', async (_, more) => {
    const started = await download((n) => pause(1, n === 0 ? batchOf(100) : n < ENDLESS ? more : undefined));

    started.answer.destroy();

    expect(await started.sent).toBeUndefined();
    expect(started.isReleased()).toBe(true);
  });
});
