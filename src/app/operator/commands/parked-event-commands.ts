import { Database } from '#shared/platform/database/database.js';
import type { Command } from '../command.js';

export const parkedEventCommands: Command[] = [
  {
    words: 'events list-parked',
    about: 'List the events that a subscriber could not apply, and why.',
    example: '',
    async run(context) {
      const parked = await context.get(Database, { strict: false }).rows(
        `SELECT p.subscriber, e.type, p.event_id, p.aggregate_id, p.reason, p.parked_at, p.retry
         FROM platform.parked_events p JOIN platform.events e ON e.id = p.event_id
         ORDER BY p.subscriber, e.transaction_id, e.position LIMIT 100`,
      );
      return { data: { parked } };
    },
  },
  {
    words: 'events retry',
    about: 'Have a subscriber try its parked events again; the worker does so at once.',
    changes: {
      what: 'when parked events are tried again',
      undo: 'an event that fails again is parked again.',
      audited: 'with it',
    },
    example: 'ledger',
    arguments: { subscriber: 'as events list-parked shows it' },
    async run(context, args) {
      const retried = await context
        .get(Database, { strict: false })
        .query(`UPDATE platform.parked_events SET retry = true WHERE subscriber = $1 RETURNING event_id`, [
          args.text('subscriber'),
        ]);
      return { data: { retried: retried.length } };
    },
  },
];
