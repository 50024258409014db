import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  EventDestinationsSettings,
  PublishingFailed,
} from '#contexts/webhooks/domain/destinations/event-destination.js';
import { PostgresEventDestinations } from '#contexts/webhooks/infrastructure/destinations/postgres-event-destinations.js';
import { openDestination, MemoryBroker } from '#contexts/webhooks/testing/destination-world.js';
import { newId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { parseEventDestinations } from '../../settings/read-event-destinations.js';
import { runCommand } from '../testing/run-command.js';

let world: Awaited<ReturnType<typeof openDestination>>;
beforeEach(async () => void (world = await openDestination()));
afterEach(() => world.close());

async function run(...words: string[]) {
  const configured = parseEventDestinations('teams=nats://127.0.0.1/payments');
  const parts = new Map<unknown, object>([
    [Database, world.platform.database],
    [PostgresEventDestinations, world.destinations],
    [EventDestinationsSettings, new EventDestinationsSettings(configured)],
  ]);
  const { status, out, err } = await runCommand(parts, [...words, '--json']);
  return { status, ...(JSON.parse(out || err) as object) };
}

describe('A command for event destinations', () => {
  it('shows how far each destination is, and exits with 1 while a configured one fails', async () => {
    const [first] = await world.pay(newId(), newId());
    await world.destinations.register('former');
    await world.destinations.recordResult(
      'former',
      new PublishingFailed('unreachable', 'No server answers.'),
    );
    const before = await run('destinations', 'status');
    await world.destinations.recordResult(
      'teams',
      new PublishingFailed('too_large', 'It is too large.', first),
    );

    expect(before).toMatchObject({ status: 0 });
    expect(await run('destinations', 'status')).toMatchObject({
      status: 1,
      destinations: [
        { name: 'former', in_settings: false, failure: 'unreachable' },
        {
          ...{ name: 'teams', in_settings: true, number: 0, behind: 2, behind_seconds: expect.any(Number) },
          ...{ failure: 'too_large', reason: 'It is too large.', refused_event_id: first },
        },
      ],
    });
  });

  it('publishes again from an event after confirmation', async () => {
    const [, second] = await world.pay(newId(), newId());
    await world.publishing(new MemoryBroker()).publish();
    const words = ['destinations', 'replay', 'teams', '--from-event', second!];

    expect(await run(...words)).toMatchObject({ status: 2 });
    expect((await world.status()).behind).toBe(0);
    expect(await run(...words, '--yes')).toMatchObject({ status: 0, events: 1 });
    expect((await world.status()).behind).toBe(1);
  });

  it.each([
    [['teams'], 2],
    [['teams', '--from-event', newId(), '--from-time', '2030-01-01T00:00:00Z'], 2],
    [['teams', '--from-time', '2030-01-01T00:00:00'], 2],
    [['nobody', '--from-time', '2030-01-01T00:00:00Z'], 1],
  ])('rejects invalid arguments of a replay: %j', async (words, status) => {
    expect(await run('destinations', 'replay', ...(words as string[]), '--yes')).toMatchObject({ status });
  });
});
