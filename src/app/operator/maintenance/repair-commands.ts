import { RebuildAnalytics } from '#contexts/analytics/infrastructure/persistence/rebuild-analytics.js';
import { Database } from '#shared/platform/database/database.js';
import type { ServiceCommand } from '../command.js';

export const repairCommands: ServiceCommand[] = [
  {
    words: 'events list-parked',
    about: 'List the events that a subscriber could not apply (dead-lettered events), with the reasons.',
    example: '',
    async run(context) {
      const parked = await context.get(Database).rows(
        `SELECT p.subscriber, e.type, p.event_id, p.aggregate_id, p.reason, p.parked_at, p.retry
         FROM platform.parked_events p JOIN platform.events e ON e.id = p.event_id
         ORDER BY p.subscriber, e.transaction_id, e.position LIMIT 100`,
      );
      return { data: { parked } };
    },
  },
  {
    words: 'events retry',
    about: 'Retry the dead-lettered events of a subscriber. The worker starts immediately.',
    changes: {
      what: 'when dead-lettered events are retried',
      undo: 'no undo needed: an event that fails again is dead-lettered again.',
      audited: 'with it',
    },
    example: 'ledger',
    arguments: { subscriber: 'name of the subscriber, from events list-parked' },
    async run(context, args) {
      const retried = await context
        .get(Database)
        .query(`UPDATE platform.parked_events SET retry = true WHERE subscriber = $1 RETURNING event_id`, [
          args.text('subscriber'),
        ]);
      return { data: { retried: retried.length } };
    },
  },
  {
    words: 'requests list-parked',
    about: 'List the payment requests that could not be evaluated (parked requests), with the reasons.',
    example: '',
    async run(context) {
      const parked = await context.get(Database).rows(
        `SELECT p.payment_request_id, r.status, r.network, p.reason, p.parked_at, p.retry
         FROM payments.parked_requests p JOIN payments.payment_requests r ON r.id = p.payment_request_id
         ORDER BY p.parked_at, p.payment_request_id LIMIT 100`,
      );
      return { data: { parked } };
    },
  },
  {
    words: 'requests retry',
    about: 'Evaluate a parked payment request again, in the next cycle of the worker.',
    changes: {
      what: 'when a parked payment request is evaluated again',
      undo: 'no undo needed: a request that fails again is parked again.',
      audited: 'with it',
    },
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    arguments: { request: 'id of the payment request' },
    async run(context, args) {
      const retried = await context
        .get(Database)
        .query(
          `UPDATE payments.parked_requests SET retry = true WHERE payment_request_id = $1 RETURNING payment_request_id`,
          [args.id<string>('request')],
        );
      return { data: { retried: retried.length } };
    },
  },
  {
    words: 'figures rebuild',
    about: 'Recalculate the analytics of the dashboard from all records. The service keeps running.',
    changes: {
      what: 'the analytics of the dashboard',
      undo: 'no undo needed: they can be recalculated at any time.',
      audited: 'around it',
    },
    example: '',
    async run(context) {
      const rows = await context.get(RebuildAnalytics).rebuild();
      return { data: rows, note: 'The worker continues with the events after this recalculation.' };
    },
  },
];
