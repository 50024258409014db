import { beforeEach, describe, expect, it } from '@jest/globals';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { newId, type OrganizationId, type WebhookId } from '#shared/kernel/ids.js';
import { RedeliveryLimiter } from './redelivery-limiter.js';

const one = newId<WebhookId>();
const other = newId<WebhookId>();
const shop = newId<OrganizationId>();
const otherShop = newId<OrganizationId>();

let limiter: RedeliveryLimiter;
/** Resends and replays that have started and not ended, by name. */
let running: Map<string, { end: () => void; fail: (error: Error) => void }>;

beforeEach(() => {
  limiter = new RedeliveryLimiter();
  running = new Map();
});

const work = (name: string) => () =>
  new Promise<string>((resolve, reject) => {
    const over =
      <T>(settle: (value: T) => void) =>
      (value: T) => {
        running.delete(name);
        settle(value);
      };
    running.set(name, { end: () => over(resolve)(name), fail: over(reject) });
  });
/** Starts a resend or a replay of a webhook of the first organization. */
const run = (kind: 'resend' | 'replay', webhook: WebhookId, name: string) =>
  kind === 'resend' ? limiter.resend(webhook, work(name)) : limiter.replay(shop, webhook, work(name));
/** Waits until every resend or replay that the limiter allows has started, and returns their names. */
async function begun(): Promise<string[]> {
  await new Promise((resolve) => setImmediate(resolve));
  return [...running.keys()];
}

describe.each(['resend', 'replay'] as const)('A redelivery by %s', (kind) => {
  it('starts after earlier ones of the same webhook, also if they fail', async () => {
    const first = limiter.resend(one, work('first'));
    const second = run(kind, one, 'second');
    expect(await begun()).toEqual(['first']);
    const third = limiter.resend(one, work('third'));

    expect(await begun()).toEqual(['first']);
    running.get('first')!.end();
    expect(await begun()).toEqual(['second']);
    running.get('second')!.fail(new Error('broken'));
    await expect(second).rejects.toThrow('broken');
    expect(await begun()).toEqual(['third']);
    running.get('third')!.end();
    expect(await Promise.all([first, third])).toEqual(['first', 'third']);
  });

  it('is rejected while twenty redeliveries of the webhook run or wait', async () => {
    const there = Array.from({ length: 20 }, (_, n) => run(kind, one, `${n}`));

    await expect(run(kind, one, 'late')).rejects.toThrow(RateLimited);
    expect(await begun()).toEqual(['0']);
    running.get('0')!.end();
    await there[0];
    const next = run(kind, one, 'next');

    for (let n = 1; n < 20; n += 1) {
      await begun();
      running.get(`${n}`)!.end();
    }
    expect(await begun()).toEqual(['next']);
    running.get('next')!.end();
    expect(await next).toBe('next');
  });
});

describe('A redelivery of another webhook', () => {
  it('waits for a replay in progress only if it is a replay', async () => {
    void limiter.replay(shop, one, work('replay'));
    void limiter.replay(shop, other, work('next replay'));
    void limiter.resend(other, work('resend'));

    expect((await begun()).sort()).toEqual(['replay', 'resend']);
    running.get('resend')!.end();
    expect(await begun()).toEqual(['replay']);
    running.get('replay')!.end();
    expect(await begun()).toEqual(['next replay']);
  });

  it('does not wait for all replays that another organization has queued before', async () => {
    for (let n = 0; n < 20; n += 1) void limiter.replay(shop, one, work(`${n}`));
    const replay = limiter.replay(otherShop, other, work('other'));
    await expect(limiter.replay(shop, other, work('late'))).rejects.toThrow(RateLimited);

    expect(await begun()).toEqual(['0']);
    running.get('0')!.end();
    expect(await begun()).toEqual(['1']);
    running.get('1')!.end();
    expect(await begun()).toEqual(['other']);
    running.get('other')!.end();

    expect(await replay).toBe('other');
    expect(await begun()).toEqual(['2']);
  });
});
