import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExampleApi, startExampleApi } from '../testing/example-api.js';

/** Longer than a test may take. */
const NEVER_MS = 3_600_000;

let api: ExampleApi;
beforeAll(async () => void (api = await startExampleApi({ timeouts: { request: 700 } })));
afterAll(() => api.close());

describe('A body that does not arrive', () => {
  const head = 'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

  it('is answered with 408 after the time limit', async () => {
    const answer = await api.raw(`${head}Content-Length: 100\r\n\r\n{"name"`, /^HTTP/);

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is rejected as soon as its chunks exceed the size limit', async () => {
    const answer = await api.raw(
      `${head}Transfer-Encoding: chunked\r\n\r\n11000\r\n${' '.repeat(0x11000)}\r\n`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is cut off if it does not end after its rejection', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const patient = await startExampleApi({ timeouts: { headers: NEVER_MS, request: NEVER_MS } });
    const endless = `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(100)}`;

    await patient.raw(endless, 'closed').catch(() => 'cut');

    await patient.close();
  });

  it('is dropped without an error when its sender disconnects', async () => {
    await api.raw(`${head}Content-Length: 100\r\n\r\n{"name"`);

    expect((await fetch(`${api.url}/v1/things`)).status).toBe(200);
    expect(api.logLines.filter((line) => line.level === 'error')).toEqual([]);
  });
});
