import { Injectable } from '@nestjs/common';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import { Database } from '#shared/platform/database/database.js';
import {
  EventDestinationCheckpoints,
  type EventDestinationCheckpoint,
  type UnpublishedEvents,
} from '../../application/destinations/publish-events.js';
import type { PublishingFailed } from '../../domain/destinations/event-destination.js';
import type { NumberedEvent } from '../../domain/destinations/broker-message.js';

type UnpublishedEventRow = { at: number; replays: number } & (NumberedEvent | { number: null });

export const EVENTS_AFTER_CHECKPOINT = `
SELECT d.number AS at, d.replays, e.number, e.id, e.organization_id, e.account_id, e.event_type, e.payment_request_id,
  e.occurred_at, e.body, e.underpayment_accepted
FROM webhooks.destinations d
LEFT JOIN LATERAL (SELECT * FROM webhooks.events WHERE number > d.number ORDER BY number LIMIT $2) e ON true
WHERE d.name = $1 ORDER BY e.number`;

@Injectable()
export class PostgresEventDestinations implements EventDestinationCheckpoints {
  constructor(private readonly database: Database) {}

  async register(name: string): Promise<void> {
    await this.database.query(
      `INSERT INTO webhooks.destinations (name) VALUES ($1)
       ON CONFLICT (name) DO UPDATE SET configured_at = clock_timestamp()`,
      [name],
    );
  }

  async eventsAfterCheckpoint(name: string, limit: number): Promise<UnpublishedEvents> {
    const rows = await this.database.query<UnpublishedEventRow>(EVENTS_AFTER_CHECKPOINT, [name, limit]);
    const [first] = rows;
    if (first === undefined) throw new Error(`The destination ${name} has no checkpoint.`);
    const events = rows.filter((row): row is UnpublishedEventRow & NumberedEvent => row.number !== null);
    return { position: { number: first.at, replays: first.replays }, events };
  }

  async advance(name: string, from: EventDestinationCheckpoint, number: number): Promise<boolean> {
    const moved = await this.database.query(
      `UPDATE webhooks.destinations SET number = $4, moved_at = clock_timestamp()
       WHERE name = $1 AND number = $2 AND replays = $3 RETURNING name`,
      [name, from.number, from.replays, number],
    );
    return moved.length > 0;
  }

  async recordResult(name: string, failed: PublishingFailed | null): Promise<void> {
    const { failure, reason, eventId } = failed ?? {};
    await this.database.query(
      `UPDATE webhooks.destinations SET failure = $2, reason = $3, refused_event_id = $4,
         failing_since = CASE WHEN $2::text IS NULL THEN NULL ELSE COALESCE(failing_since, clock_timestamp()) END
       WHERE name = $1 AND (failure, reason, refused_event_id) IS DISTINCT FROM ($2::text, $3::text, $4::uuid)`,
      [name, failure ?? null, reason ?? null, eventId ?? null],
    );
  }

  status(): Promise<EventDestinationStatus[]> {
    return this.database.query<EventDestinationStatus>(
      `SELECT d.name, d.number, d.moved_at, d.configured_at, d.failing_since, d.failure, d.reason, d.refused_event_id,
         (SELECT count(*)::integer FROM (SELECT FROM webhooks.events e WHERE e.number > d.number LIMIT ${MAX_COUNTED_EVENTS}) c) AS behind,
         (SELECT extract(epoch FROM platform.now() - e.occurred_at)::integer FROM webhooks.events e
          WHERE e.number > d.number ORDER BY e.number LIMIT 1) AS behind_seconds
       FROM webhooks.destinations d ORDER BY d.name`,
    );
  }

  /** @throws DomainError if the event is unknown or not published yet */
  async previewReplay(name: string, from: ReplayStart): Promise<DestinationReplay> {
    const [at] = await this.database.query<{ number: number }>(
      'SELECT number FROM webhooks.destinations WHERE name = $1',
      [name],
    );
    if (at === undefined) throw notFound('destination');
    const [start] = await this.database.query<{ number: number }>(
      'eventId' in from ? CHECKPOINT_BEFORE_EVENT : CHECKPOINT_BEFORE_TIME,
      'eventId' in from ? [from.eventId] : [at.number, from.time],
    );
    if (start === undefined && 'eventId' in from) throw notFound('event');
    const number = start?.number ?? 0;
    if (number > at.number) throw stateConflict(`The destination ${name} has not published this event yet.`);
    const [counted] = await this.database.query<{ events: number }>(
      'SELECT count(*)::integer AS events FROM webhooks.events WHERE number > $1 AND number <= $2',
      [number, at.number],
    );
    return { number, events: counted!.events };
  }

  /** Acknowledgements still in flight cannot advance the checkpoint. */
  async replay(name: string, from: ReplayStart): Promise<DestinationReplay> {
    return this.database.run(async () => {
      await this.database.queryInTransaction('SELECT FROM webhooks.destinations WHERE name = $1 FOR UPDATE', [
        name,
      ]);
      const replayed = await this.previewReplay(name, from);
      await this.database.queryInTransaction(
        `UPDATE webhooks.destinations SET number = $2, replays = replays + 1, moved_at = clock_timestamp() WHERE name = $1`,
        [name, replayed.number],
      );
      return replayed;
    });
  }
}

export const MAX_COUNTED_EVENTS = 100_000;

/** The event is then the next to be published. */
const CHECKPOINT_BEFORE_EVENT = 'SELECT number - 1 AS number FROM webhooks.events WHERE id = $1';

/**
 * One hour earlier, because events are recorded slightly out of order. Reads backwards, so its cost grows only with
 * the number of events to publish again.
 */
const CHECKPOINT_BEFORE_TIME = `SELECT number FROM webhooks.events
  WHERE number <= $1 AND occurred_at < $2::timestamptz - interval '1 hour' ORDER BY number DESC LIMIT 1`;

export type ReplayStart = { readonly eventId: string } | { readonly time: Date };

export interface DestinationReplay {
  readonly number: number;
  readonly events: number;
}

export interface EventDestinationStatus {
  readonly name: string;
  readonly number: number;
  readonly movedAt: Date;
  readonly configuredAt: Date;
  readonly failingSince: Date | null;
  readonly failure: string | null;
  readonly reason: string | null;
  readonly refusedEventId: string | null;
  readonly behind: number;
  readonly behindSeconds: number | null;
}
