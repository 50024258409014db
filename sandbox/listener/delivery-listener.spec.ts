import { createHmac } from 'node:crypto';
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
  it('is rejected if it is too old by the clock of the listener', async () => {
    await open(undefined, async () => new Date(Date.now() + 86_400_000));
    handler.verifyWith([SECRET]);

    expect(await send(COMPLETED)).toBe(401);

    expect(reports).toEqual([expect.stringMatching(/does not verify: too old: 8640\d s/)]);
  });

  it('is acknowledged if its signature verifies, and is shown completely', async () => {
    await open();
    handler.verifyWith([SECRET]);

    expect(await send(COMPLETED)).toBe(200);

    expect(reports).toEqual([
      expect.stringMatching(/completed {2}verified\n[^]*order-1042[^]*answered {14}200\n/),
    ]);
  });

  it('is answered with 401 and the reason if its signature does not verify', async () => {
    await open();
    handler.verifyWith([SECRET]);

    expect(await send(COMPLETED, { secret: `${SECRET.slice(0, -6)}bbbbbb` })).toBe(401);

    expect(reports[0]).toMatch(/completed {2}NOT VERIFIED\n/);
    expect(reports[0]).toMatch(/X-Request-Signature {3}does not verify: not made with the secret\n/);
    expect(reports[0]).toMatch(/answered {14}401\n/);
  });

  it('is shown as a repetition if its id was in an earlier delivery that was not forged', async () => {
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

  it('cannot write control characters to the terminal', async () => {
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
  it('accepts bodies of at most 64 KiB', async () => {
    await open();
    handler.verifyWith([SECRET]);
    const body = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));

    expect(await send(body(65_536))).toBe(200);
    expect([await send(body(65_537)), await send(body(2_000_000))]).toEqual([413, 413]);
    expect(refusals).toEqual(Array(2).fill('A request was answered 413: its body is larger than 64 KiB.'));
    expect(reports).toHaveLength(1);
  });
});
