import { describe, expect, it } from '@jest/globals';
import type { WebhookId } from '#shared/kernel/ids.js';
import { MAX_REPLAYED_EVENTS, ReplayEvents } from './replay-events.js';
import { RedeliveryLimiter } from './redelivery-limiter.js';

const FROM = new Date('2026-05-01T00:00:00.000Z');
const TO = new Date('2026-05-02T00:00:00.000Z');

/** @param count number of events in the replayed time range */
function createReplayOf(count: number, isRecorded = true) {
  const owner = { organizationId: 'o', accountId: 'a' };
  const webhook = { ...owner, active: true };
  const run = <T>(work: () => Promise<T>) => work();
  const parts = [
    { run },
    { narrowScope: async () => owner },
    { find: async () => webhook, findActive: async () => webhook },
    { areRecordedUntil: async () => isRecorded },
    { countEventsToReplay: async () => count, replay: async () => count },
    new RedeliveryLimiter(),
    { run: (_: unknown, work: () => Promise<number>) => work() },
  ] as unknown as ConstructorParameters<typeof ReplayEvents>;
  const replay = new ReplayEvents(...parts);
  const scope = { organizationId: 'o', accountId: null } as never;
  return (range: object = {}) =>
    replay.replay({
      ...{ scope, accountId: 'a', webhookId: 'w' as WebhookId },
      ...{ from: FROM, to: TO, dryRun: false, ...range },
    });
}

describe('A replay', () => {
  it('accepts as many events as the limit, and counts more only in a dry run', async () => {
    expect(await createReplayOf(MAX_REPLAYED_EVENTS)()).toBe(MAX_REPLAYED_EVENTS);
    expect(await createReplayOf(MAX_REPLAYED_EVENTS + 1)({ dryRun: true })).toBe(MAX_REPLAYED_EVENTS + 1);
    await expect(createReplayOf(MAX_REPLAYED_EVENTS + 1)()).rejects.toMatchObject({
      errors: [{ field: 'to', rule: 'too_many', message: expect.stringContaining('10001 events') }],
    });
  });

  it('is rejected if the range ends when it begins', async () => {
    await expect(createReplayOf(1)({ to: FROM })).rejects.toMatchObject({ errors: [{ rule: 'after_from' }] });
  });

  it('is unavailable until all events before its end are recorded', async () => {
    await expect(createReplayOf(1, false)()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
