import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { HeldTimers } from '#test/support/held-timers.js';
import { Database } from '../database/database.js';
import { EventLog } from './event-log.js';
import { EventSubscribers } from './event-subscribers.js';
import {
  openRecordingSubscriber,
  RecordingSubscriber,
  line,
  type OpenNotebook,
} from './testing/open-recording-subscriber.js';

const POLL_MS = 40;
const UNWOKEN = 10_000;

class CountingDatabase extends Database {
  statements = 0;

  override query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    this.statements += 1;
    return super.query<Row>(text, values);
  }
}

class OtherNotebook extends RecordingSubscriber {
  override readonly name = 'other notebook';
}

let log: OpenNotebook;
let database: CountingDatabase;
let subscribers: EventSubscribers;
let timers: HeldTimers;
beforeEach(async () => {
  Logger.overrideLogger(false);
  log = await openRecordingSubscriber();
  database = new CountingDatabase(log.platform.dataSource);
  // A separate event log object. Events that a test appends through `platform` therefore count as events of another
  // process.
  subscribers = new EventSubscribers(database, new EventLog(database));
  timers = new HeldTimers();
});
afterEach(async () => {
  await subscribers.beforeApplicationShutdown();
  timers.release();
  await log.close();
  Logger.overrideLogger(['error', 'warn', 'log']);
});

/** Starts the subscribers, and waits until they have nothing left to do. */
async function run(...notebooks: RecordingSubscriber[]): Promise<void> {
  for (const notebook of notebooks) subscribers.add(notebook);
  await subscribers.onApplicationBootstrap();
  await timers.untilAsked(UNWOKEN, notebooks.length);
  await timers.untilAsked(POLL_MS);
}

/**
 * Advances the timers until the condition holds. Events are readable only after older transactions, even of other
 * tests, have ended.
 */
async function passUntil(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await timers.pass(POLL_MS);
}

describe('The subscribers of a process', () => {
  it('polls with one statement for all of them, and receives events of another process', async () => {
    await run(log.notebook, new OtherNotebook(database));
    const before = database.statements;
    await timers.pass(POLL_MS);
    await timers.untilAsked(POLL_MS, 2);
    expect(database.statements - before).toBe(1);

    await log.write(line('a'));
    await passUntil(async () => (await log.noted()).length === 2);

    expect(await log.noted()).toEqual(['a', 'a']);
  });

  it('retries events that another process has marked for retry', async () => {
    log.notebook.refuses = () => true;
    await run(log.notebook);
    await log.write(line('a'));
    await passUntil(async () => (await log.parked()).length === 1);
    log.notebook.refuses = () => false;

    await log.platform.database.query('UPDATE platform.parked_events SET retry = true');
    await passUntil(async () => (await log.parked()).length === 0);

    expect(await log.noted()).toEqual(['a']);
  });
});
