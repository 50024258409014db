import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { openDestination, MemoryBroker } from '#contexts/webhooks/testing/destination-world.js';

let world: Awaited<ReturnType<typeof openDestination>>;
let broker: MemoryBroker;
beforeEach(async () => {
  world = await openDestination();
  broker = new MemoryBroker();
});
afterEach(() => world.close());

const [one, other] = [newId<string>(), newId<string>()];
const minutesFromNow = async (minutes: number) =>
  new Date((await world.platform.clock.now()).getTime() + minutes * 60_000);
const numberOf = async (id: string) => (await world.log()).find((event) => event.id === id)!.number;

describe('A destination', () => {
  it('receives each event once, and its checkpoint moves after all acknowledgements', async () => {
    const events = await world.pay(one, other, one);
    const publish = world.publishing(broker);

    await publish.publish();
    await publish.publish();

    expect(broker.stored).toEqual(events);
    expect(await world.status()).toMatchObject({
      number: await numberOf(events[2]!),
      behind: 0,
      failure: null,
    });
  });

  it('keeps its checkpoint while the broker is unavailable or does not acknowledge', async () => {
    const events = await world.pay(one, one);
    const publish = world.publishing(broker);
    broker.isAway = true;
    await expect(publish.publish()).rejects.toThrow('No server answers.');
    const away = await world.status();
    Object.assign(broker, { isAway: false, losesAcknowledgements: true });
    await expect(publish.publish()).rejects.toThrow('No answer in time.');
    const unanswered = await world.status();

    broker.losesAcknowledgements = false;
    await publish.publish();

    expect(away).toMatchObject({
      number: 0,
      behind: 2,
      failure: 'unreachable',
      failingSince: expect.any(Date),
    });
    expect(unanswered).toMatchObject({ number: 0, failingSince: away.failingSince });
    expect(broker.stored).toEqual([...events, ...events]);
    expect(await world.status()).toMatchObject({
      behind: 0,
      failure: null,
      reason: null,
      failingSince: null,
    });
  });

  it('stops at a rejected event, reports it, and does not repeat accepted events', async () => {
    const [first, second, third] = await world.pay(one, other, other);
    const publish = world.publishing(broker);
    broker.refuses = ({ id }) => id === second;
    for (let tries = 0; tries < 2; tries += 1) await expect(publish.publish()).rejects.toThrow('too large');
    const refused = await world.status();

    broker.refuses = () => false;
    await publish.publish();

    expect(refused).toMatchObject({
      number: await numberOf(first!),
      refusedEventId: second,
      failure: 'too_large',
    });
    expect(broker.stored).toEqual([first, second, third]);
  });

  it('does not repeat events accepted after a missing one, except in a replay', async () => {
    const [first, second] = await world.pay(one, other);
    const publish = world.publishing(broker);
    broker.publish = async ([, later], acknowledged) => {
      broker.stored.push(later!.id);
      acknowledged(later!.id);
    };
    await publish.publish();
    const between = await world.status();
    broker.publish = MemoryBroker.prototype.publish.bind(broker);
    broker.isAway = true;
    await expect(publish.publish()).rejects.toThrow();
    broker.isAway = false;

    await publish.publish();
    await world.destinations.replay('teams', { eventId: first! });
    broker.publish = async ([, later], acknowledged) => acknowledged(later!.id);
    await publish.publish();
    await world.destinations.replay('teams', { eventId: first! });
    broker.publish = MemoryBroker.prototype.publish.bind(broker);
    await publish.publish();

    expect(between.number).toBe(0);
    expect(broker.stored).toEqual([second, first, first, second]);
    expect(await world.status()).toMatchObject({ behind: 0 });
  });
});

describe('The checkpoint of a destination', () => {
  it('is not moved by an acknowledgement from before a replay', async () => {
    const [first] = await world.pay(one, other);
    await world.publishing(broker).publish();
    const { position } = await world.destinations.eventsAfterCheckpoint('teams', 1);
    await world.destinations.replay('teams', { eventId: first! });
    const [late] = await world.pay(one);

    const moved = await world.destinations.advance('teams', position, await numberOf(late!));

    expect([moved, (await world.status()).behind]).toEqual([false, 3]);
  });

  it('is moved by one of two processes that published the same events', async () => {
    const events = await world.pay(one, other);
    await Promise.all([world.publishing(broker).publish(), world.publishing(broker).publish()]);

    expect(new Set(broker.stored)).toEqual(new Set(events));
    expect((await world.status()).behind).toBe(0);
  });
});

describe('A replay to a destination', () => {
  it('publishes the same ids again from an event or a time', async () => {
    const events = await world.pay(one, other, one);
    const publish = world.publishing(broker);
    await publish.publish();
    broker.stored.length = 0;

    const fromEvent = await world.destinations.replay('teams', { eventId: events[1]! });
    await publish.publish();
    const fromTime = await world.destinations.replay('teams', { time: await minutesFromNow(-1) });
    await publish.publish();
    const later = await minutesFromNow(120);

    expect([fromEvent.events, fromTime.events]).toEqual([2, 3]);
    expect(broker.stored).toEqual([...events.slice(1), ...events]);
    expect(await world.destinations.previewReplay('teams', { time: later })).toMatchObject({ events: 0 });
  });

  it('rejects unpublished events, unknown destinations and unknown events', async () => {
    const [first, second] = await world.pay(one, other);
    const replays = (name: string, eventId: string) => world.destinations.replay(name, { eventId });

    await expect(replays('teams', second!)).rejects.toThrow('has not published');
    await expect(replays('nobody', first!)).rejects.toThrow('destination');
    await expect(replays('teams', newId())).rejects.toThrow('event');
  });
});
