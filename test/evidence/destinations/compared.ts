import type { StoredMessage } from './broker-server.js';

export interface LoggedEvent {
  readonly id: string;
  readonly number: number;
  readonly body: string;
}

export interface Compared {
  /** Ids of the log that the broker lacks, and of the broker that the log lacks. */
  readonly missing: string[];
  readonly foreign: string[];
  /** Events that first came behind a later one of their aggregate, or in another lane than it. */
  readonly disordered: string[];
  readonly otherBodies: string[];
  /** Seconds from an event's first message to each further one. */
  readonly repeatedAfter: number[];
}

export function compare(stored: readonly StoredMessage[], log: readonly LoggedEvent[]): Compared {
  const logged = new Map(log.map((event) => [event.id, event]));
  const first = new Map<string, StoredMessage>();
  const latest = new Map<string, { lane: number; number: number }>();
  const result = { foreign: [], disordered: [], otherBodies: [], repeatedAfter: [] } as Omit<
    Compared,
    'missing'
  >;
  for (const message of stored) {
    const event = logged.get(message.id);
    if (event === undefined) result.foreign.push(message.id);
    else if (event.body !== message.body) result.otherBodies.push(message.id);
    const earlier = first.get(message.id);
    if (earlier !== undefined) {
      result.repeatedAfter.push((message.at - earlier.at) / 1_000);
      continue;
    }
    first.set(message.id, message);
    const { number = 0 } = event ?? {};
    const before = latest.get(message.aggregateId);
    if (before !== undefined && (before.number > number || before.lane !== message.lane))
      result.disordered.push(message.id);
    latest.set(message.aggregateId, { lane: message.lane, number });
  }
  return { missing: log.filter(({ id }) => !first.has(id)).map(({ id }) => id), ...result };
}

export const COMPLETE = { missing: [], foreign: [], disordered: [], otherBodies: [] };
