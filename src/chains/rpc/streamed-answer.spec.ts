import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { type Misbehaviour, StubNode } from '#contexts/networks/testing/stub-node.js';
import {
  NetworksSettings,
  type RpcStreamLimits,
} from '#contexts/networks/infrastructure/networks-settings.js';
import { JsonRpc } from './json-rpc.js';

const PATIENT: RpcStreamLimits = { silenceMs: 60_000, totalMs: 60_000, elementBytes: 1_000 };
const SECRET = 'd34db33f-key';

let node: StubNode;
let url: string;
let taken: unknown[];
beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
  taken = [];
});
afterEach(() => node.stop());

function stream(
  result: 'list' | 'object' = 'list',
  limits: Partial<RpcStreamLimits> = {},
  settle?: () => Promise<void>,
) {
  const { networks, patience } = settingsFor(`${url}/${SECRET}`);
  const settings = new NetworksSettings(networks, { ...patience, streaming: { ...PATIENT, ...limits } });
  const rpc = new JsonRpc(settings);
  const take = (value: unknown) => void taken.push(value);
  return rpc.streamOnce(rpc.endpoints('sandbox')[0]!, {
    method: 'list',
    params: [],
    result,
    take: result === 'list' ? { 'result.*': take } : { 'result.logs.*': take },
    ...(settle && { settle }),
  });
}

const answering =
  (body: string, status = 200): Misbehaviour =>
  (response) =>
    response.writeHead(status).end(body);

describe('An answer that is read in parts', () => {
  it('is read element by element', async () => {
    node.misbehaves((response, { id }) =>
      response.end(` {"result" :[{"a":[1,{"b":"]}"}]} , 2,"\\u00e4",null],"id":${id},"jsonrpc":"2.0"}\n`),
    );

    await stream();

    expect(taken).toEqual([{ a: [1, { b: ']}' }] }, 2, 'ä', null]);
  });

  it('is read from gzip and after a byte order mark', async () => {
    node.misbehaves((response, { id }) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync(`\uFEFF${JSON.stringify({ id, result: [1, 2] })}`)),
    );

    await stream();

    expect(taken).toEqual([1, 2]);
  });

  it('is the same however its bytes are split', async () => {
    node.misbehaves((response, { id }) => {
      const body = Buffer.from(JSON.stringify({ id, result: [{ a: 'ä€' }, { b: '\u{1f600}"' }] }));
      response.socket!.setNoDelay();
      let at = 0;
      const more = () => {
        if (at === body.length) return void response.end();
        response.write(body.subarray(at, (at += 1)), () => setImmediate(more));
      };
      more();
    });

    await stream();

    expect(taken).toEqual([{ a: 'ä€' }, { b: '\u{1f600}"' }]);
  });

  it.each<[string, 'list' | 'object', unknown]>([['null for an object', 'object', null]])(
    'is refused if it is not of the requested type: %s',
    async (_, result, answer) => {
      node.answers('list', () => answer);

      await expect(stream(result)).rejects.toMatchObject({ kind: 'malformed' });
    },
  );

  it.each<[string, Misbehaviour, string, RegExp]>([
    ['that is no JSON', answering('<html>'), 'malformed', /not JSON/],
    ['that ends too soon', answering('{"id":1,"result":[1,2'), 'connection', /was cut off/],
    ['to another call', answering('{"id":77,"result":[1]}'), 'malformed', /to another request/],
    ['of a batch', answering('[{"id":1,"result":[1]}]'), 'malformed', /to another request/],
    ['under status 504', answering('<html>', 504), 'timeout', /504/],
    [
      'that is torn off',
      (response) => response.write('{"id":1,"result":[1') && setImmediate(() => response.destroy()),
      'connection',
      /was interrupted/,
    ],
    [
      'with an element without end',
      (response) => void response.end(`{"id":1,"result":["${'x'.repeat(500_000)}"]}`),
      'too_large',
      /exceeds 1000 bytes/,
    ],
  ])('is refused if it is not a whole answer to the call: one %s', async (_, misbehaviour, kind, reason) => {
    node.misbehaves(misbehaviour);

    const failure: unknown = await stream().catch((error: unknown) => error);

    expect(failure).toMatchObject({ kind, message: expect.stringMatching(reason) });
  });

  it.each([200, 400])(
    'says why the node refused the call, without the secret key in its URL: status %d',
    async (status) => {
      const error = { code: -32_005, message: `query returned more than 10000 results at ${SECRET}` };
      node.misbehaves(answering(JSON.stringify({ id: 1, error }), status));

      await expect(stream()).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(/\(-32005\): query returned more than 10000 results at \(secret\)$/),
      });
    },
  );

  it.each<[string, Misbehaviour]>([
    ['from the start', () => undefined],
    ['after some bytes', (response) => void response.write('{"id":1,"result":[1,')],
  ])('times out if nothing more arrives: %s', async (_, misbehaviour) => {
    node.misbehaves(misbehaviour);

    await expect(stream('list', { silenceMs: 50 })).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/sent nothing for more than 50 ms/),
    });
  });

  it('does not time out while its parts are processed', async () => {
    node.answers('list', [1, 2]);
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'setInterval', 'Date'] });
    const slowly = async () => void jest.advanceTimersByTime(2 * PATIENT.silenceMs);

    await stream('list', { silenceMs: PATIENT.silenceMs }, slowly).finally(() => jest.useRealTimers());

    expect(taken).toEqual([1, 2]);
  });
});
