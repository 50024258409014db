import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { verifyWebhookSignature } from '../../../../../../docs/receivers/verify-webhook.js';
import { anAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { deliverMarker } from '#contexts/webhooks/testing/deliver-marker.js';
import { MisbehavingReceiver } from '#contexts/webhooks/testing/misbehaving-receiver.js';
import { misbehaviours, type Row } from '#contexts/webhooks/testing/misbehaviours.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { RetryClock, type NextAttempt } from '#contexts/webhooks/testing/retry-clock.js';
import { selfSignedCertificate } from '#contexts/webhooks/testing/self-signed-certificate.js';

interface LogRow {
  webhookId: string;
  attempt: number;
  status: string;
  httpStatus: number | null;
  error: string | null;
  durationMs: number;
  createdAt: Date;
  nextAttemptAt: Date | null;
}

interface StartedRow extends Row {
  readonly receiver: MisbehavingReceiver;
  readonly webhookId: string;
  readonly secret: string;
}

const account = anAccount();
const HOST = 'hooks.shop.example';
const certificate = selfSignedCertificate(HOST);
const DELAYS_SECONDS = [5, 30, 120, 600, 1_800, 7_200, 21_600, 43_200, 86_400];
const FIVE_DAYS = 5 * 86_400;
/** Tests are named before there is a receiver. */
const NAMES = misbehaviours('', certificate, certificate).map(({ name }) => name);

let platform: TestPlatform;
let fixture: ReturnType<typeof webhooksFixture>;
let drive: RetryClock;
let inner: Receiver;
let worker: { stop(): Promise<void> };
const rows = new Map<string, StartedRow>();
/** The service's ends of all connections. */
const ownEnds: Socket[] = [];
const noteOwnEnd = (message: unknown) => void ownEnds.push((message as { socket: Socket }).socket);

const arrivalsAt = ({ sees, receiver }: StartedRow) =>
  sees === 'connection' ? receiver.connections : receiver.requests;
/** Attempts that have left no trace there. */
const unseenBy = ({ sees, failures }: StartedRow) => (sees === 'nothing' ? failures : 0);
const log = () =>
  fixture.rows<LogRow>('SELECT * FROM webhooks.delivery_attempts ORDER BY created_at, attempt');

/** One webhook per row, one event for all, and the clock driven until nothing waits any more. */
beforeAll(async () => {
  platform = await openTestDatabase();
  fixture = webhooksFixture(platform, { certificateAuthorities: [certificate.cert] });
  fixture.resolver.state(HOST, '127.0.0.1');
  inner = await startReceiver();
  subscribe('undici:client:connected', noteOwnEnd);
  for (const row of misbehaviours(inner.url, certificate, selfSignedCertificate('other.example'))) {
    const receiver = await new MisbehavingReceiver(row, certificate).start();
    const origin =
      row.certificate === undefined
        ? `http://127.0.0.1:${receiver.port}`
        : `https://${HOST}:${receiver.port}`;
    const { id, secret } = await fixture.register(account, `${origin}/hooks`);
    rows.set(row.name, { ...row, receiver, webhookId: id, secret });
  }
  drive = new RetryClock(platform);
  await drive.begin();
  worker = fixture.startWorker();
  await fixture.happen(statusChanged(account));

  const rowOf = new Map([...rows.values()].map((row) => [row.webhookId, row]));
  const prepare = async ({ webhookId, number }: NextAttempt) => {
    const row = rowOf.get(webhookId)!;
    if (number > row.failures) await row.receiver.getWell();
    return () => arrivalsAt(row).length >= number - unseenBy(row);
  };
  while (await drive.round(prepare));
});

afterAll(async () => {
  unsubscribe('undici:client:connected', noteOwnEnd);
  await worker.stop();
  for (const { receiver } of rows.values()) await receiver.close();
  await inner.close();
  expect(await fixture.broken()).toEqual([]);
  await platform.close();
});

describe('A receiver that', () => {
  it.each(NAMES)('%s is sent to on schedule, until it acknowledges', async (name) => {
    const row = rows.get(name)!;
    const { failures, error, httpStatus, hangs, webhookId } = row;
    const attempts = (await log()).filter((attempt) => attempt.webhookId === webhookId);
    const failed = attempts.slice(0, failures);
    const end = failures === 10 ? [] : [{ status: 'delivered', error: null, httpStatus: 200 }];

    expect(attempts.map(({ attempt }) => attempt)).toEqual(attempts.map((_, n) => n + 1));
    expect(attempts.map(({ status, error, httpStatus }) => ({ status, error, httpStatus }))).toEqual([
      ...failed.map((_, n) => ({ status: n === 9 ? 'failed' : 'pending', error, httpStatus })),
      ...end,
    ]);
    if (hangs) expect(Math.min(...failed.map(({ durationMs: ms }) => ms))).toBeGreaterThan(1_600);
    const arrivals = arrivalsAt(row);
    const unseen = unseenBy(row);
    expect(arrivals).toHaveLength(attempts.length - unseen);
    failed.forEach(({ createdAt: at, durationMs: ms, nextAttemptAt: next }, n) => {
      if (next === null) return;
      const planned = DELAYS_SECONDS[n]! * 1_000;
      const waited = next.getTime() - at.getTime() - ms;
      expect(waited).toBeGreaterThanOrEqual(planned * 0.8 - 1);
      expect(waited).toBeLessThanOrEqual(planned * 1.2 + 1);
      expect(attempts[n + 1]!.createdAt.getTime()).toBeGreaterThanOrEqual(next.getTime());
      const arrival = arrivals[n + 1 - unseen];
      if (arrival === undefined) return;
      expect(drive.serviceTime(arrival.at)).toBeGreaterThanOrEqual(next.getTime());
    });
  });

  it('is sent the same event at each attempt, signed afresh', () => {
    for (const { receiver, secret } of rows.values()) {
      const header = (head: string, name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(head)?.[1];
      const signatures = receiver.requests.map(({ head, body }) => {
        const signature = header(head, 'x-request-signature')!;
        const timestamp = header(head, 'x-request-timestamp')!;
        // A busy machine may read the request only once the clock was moved on to the next attempt.
        const now = new Date(Number(timestamp) * 1_000);
        expect(verifyWebhookSignature({ body, signature, timestamp, secret, now })).toBe(true);
        return signature;
      });
      expect(new Set(signatures).size).toBe(receiver.requests.length);
      expect(new Set(receiver.requests.map(({ head }) => header(head, 'webhook-id'))).size).toBe(1);
    }
  });

  it('leads elsewhere leads nobody there', () => {
    expect(inner.connections.accepted).toBe(0);
  });

  it('never ends is not listened to, and holds nothing of ours', async () => {
    await eventually(() => [...rows.values()].every(({ receiver }) => receiver.open.size === 0));

    expect(ownEnds.filter(({ destroyed }) => !destroyed)).toEqual([]);
    // Of a body 20 kB, of the rest 256 kB, and what one look at the socket brings.
    expect(Math.max(...ownEnds.map(({ bytesRead }) => bytesRead))).toBeLessThan(400_000);
    const poured = rows.get('pours a body')!.receiver.sent;
    // What both kernels' buffers take, and no more.
    expect(Math.max(...poured)).toBeLessThan(16_000_000);
  });

  it('has been acknowledged, or has failed ten times, is left alone', async () => {
    for (const { receiver } of rows.values()) await receiver.getWell();
    const count = () =>
      [...rows.values()].reduce((sum, { receiver }) => sum + receiver.connections.length, 0);
    const before = count();

    await platform.advance(FIVE_DAYS);
    await deliverMarker(fixture);

    expect(count()).toBe(before);
    const statuses = await fixture.rows<{ status: string; count: number }>(
      `SELECT status, count(*) FROM webhooks.deliveries WHERE account_id = $1 GROUP BY status ORDER BY status`,
      [account.accountId],
    );
    expect(statuses).toEqual([
      { status: 'delivered', count: rows.size - 1 },
      { status: 'failed', count: 1 },
    ]);
  });
});
