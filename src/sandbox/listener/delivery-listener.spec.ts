import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DeliveryHandler, listenForDeliveries, type DeliveryServer } from './delivery-listener.js';

const SECRET = `whsec_${'a'.repeat(43)}`;

let reports: string[];
let refusals: string[];
let server: DeliveryServer;
let handler: DeliveryHandler;

async function open(answer?: number, clock?: () => Promise<Date>): Promise<void> {
  handler = new DeliveryHandler({ answer, show: (report) => reports.push(report), clock });
  server = await listenForDeliveries({
    host: '127.0.0.1',
    port: 0,
    path: '/hooks',
    handle: (received) => handler.handle(received),
    onRefused: (sentence) => refusals.push(sentence),
  });
}

beforeEach(() => {
  reports = [];
  refusals = [];
});
afterEach(() => server.close());

async function send(body: string, { id = 'one', secret = SECRET } = {}): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice(6), 'base64url');
  const headers = {
    'x-request-timestamp': timestamp,
    'x-request-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  };
  return (await fetch(server.url, { method: 'POST', headers, body })).status;
}

const COMPLETED =
  '{"data":{"external_reference_id":"order-1042","notification_type":"payment_request_status_update",' +
  '"payment_request_id":"0193b2f4-0000-7000-8000-000000000001","status":"completed"}}';

describe('A delivery at the listener', () => {
  it('is too old by the clock that the listener is given, which may be a moved one', async () => {
    await open(undefined, async () => new Date(Date.now() + 86_400_000));
    handler.verifyWith([SECRET]);

    expect(await send(COMPLETED)).toBe(401);

    expect(reports).toEqual([expect.stringMatching(/does not verify: too old: 8640\d s/)]);
  });

  it('is acknowledged and shown whole when it verifies', async () => {
    await open();
    handler.verifyWith([SECRET]);

    expect(await send(COMPLETED)).toBe(200);

    expect(reports).toEqual([
      expect.stringMatching(
        new RegExp(
          [
            '^\\d\\d:\\d\\d:\\d\\d  payment_request_status_update  completed  verified',
            '  webhook-id            one',
            '  payment request       0193b2f4-0000-7000-8000-000000000001',
            '  reference             order-1042',
            '  X-Request-Signature   verifies',
            '  webhook-signature     verifies',
            '  timestamp             \\d\\.\\d s old',
            '  answered              200',
            '  {',
            '    "data": {',
            '      "external_reference_id": "order-1042",',
          ].join('\n'),
        ),
      ),
    ]);
  });

  it('is shown with the reason and answered 401 when it does not', async () => {
    await open();
    handler.verifyWith([SECRET]);

    expect(await send(COMPLETED, { secret: `${SECRET.slice(0, -6)}bbbbbb` })).toBe(401);

    expect(reports[0]).toMatch(/completed {2}NOT VERIFIED\n/);
    expect(reports[0]).toMatch(/X-Request-Signature {3}does not verify: not made with the secret\n/);
    expect(reports[0]).toMatch(/answered {14}401\n/);
  });

  it('is distinguished from one that was seen before; a forged one claims no id', async () => {
    await open();
    handler.verifyWith([SECRET]);

    await send(COMPLETED, { id: 'two', secret: `${SECRET.slice(0, -6)}bbbbbb` });
    for (const id of ['one', 'two', 'one', 'one']) await send(COMPLETED, { id });

    expect(reports.map((report) => /webhook-id +(.*)\n/.exec(report)![1])).toEqual([
      'two',
      'one',
      'two',
      'one (duplicate: seen once before)',
      'one (duplicate: seen 2 times before)',
    ]);
  });

  it('is answered as the user said, whether it verifies or not', async () => {
    await open(503);
    handler.verifyWith([SECRET]);

    expect(await send(COMPLETED)).toBe(503);
    expect(reports[0]).toMatch(/completed {2}verified\n[^]*answered {14}503\n/);
  });

  it('waits for the secret when it comes before it', async () => {
    await open();
    const answer = send(COMPLETED);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(reports).toEqual([]);

    handler.verifyWith([SECRET]);

    expect(await answer).toBe(200);
  });

  it('never brings what it carries to the terminal raw', async () => {
    await open();
    handler.verifyWith([SECRET]);
    const evil = '\u001b]0;owned\u0007\u009b31m\u202egnp.exe\u2028\u007f';

    await send(JSON.stringify({ data: { status: evil, notification_type: evil, [evil]: evil } }));
    await send(`{${evil}`);
    await send('['.repeat(10_000) + ']'.repeat(10_000));
    await send(JSON.stringify({ data: { status: 'x'.repeat(10_000) } }));

    const lines = reports.join('\n').split('\n');
    expect(lines.filter((line) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(line))).toEqual([]);
    expect(reports[0]).toContain('\\u001b]0;owned\\u0007\\u009b31m\\u202egnp.exe\\u2028\\u007f');
    expect(reports[1]).toContain('{\\u001b]0;owned');
    expect(reports[2]!.length).toBeLessThan(3_000);
    expect(reports[3]!.split('\n')[0]!.length).toBeLessThan(300);
  });
});

describe('The listener', () => {
  it('takes bodies of 64 KiB and none larger', async () => {
    await open();
    handler.verifyWith([SECRET]);
    const body = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));

    expect(await send(body(65_536))).toBe(200);
    expect([await send(body(65_537)), await send(body(2_000_000))]).toEqual([413, 413]);
    expect(refusals).toEqual(Array(2).fill('A request was answered 413: its body is larger than 64 KiB.'));
    expect(reports).toHaveLength(1);
  });

  it('takes deliveries at its path alone', async () => {
    await open();

    expect((await fetch(new URL('/other', server.url), { method: 'POST' })).status).toBe(404);
    expect((await fetch(server.url)).status).toBe(405);
    expect(refusals).toEqual([
      'A request was answered 404: deliveries are taken at /hooks.',
      'A request was answered 405: a delivery is a POST.',
    ]);
  });

  it('outlives a sender that goes away in the middle', async () => {
    await open();
    handler.verifyWith([SECRET]);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('POST /hooks HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.resetAndDestroy();

    expect(await send(COMPLETED)).toBe(200);
  });
});
