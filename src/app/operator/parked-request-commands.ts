import { Database } from '../../shared/platform/database/database.js';
import type { Command } from './command.js';

export const parkedRequestCommands: Command[] = [
  {
    words: 'requests list-parked',
    about: 'List the payment requests that could not be judged, and why.',
    async run(context) {
      const parked = await context.get(Database, { strict: false }).query(
        `SELECT p.payment_request_id, r.status, r.network, p.reason, p.parked_at, p.retry
         FROM payments.parked_requests p JOIN payments.payment_requests r ON r.id = p.payment_request_id
         ORDER BY p.parked_at, p.payment_request_id LIMIT 100`,
      );
      return { data: { parked } };
    },
  },
  {
    words: 'requests retry',
    about: 'Have a parked payment request judged again; the worker does so with its next turn.',
    arguments: ['request'],
    async run(context, args) {
      const retried = await context
        .get(Database, { strict: false })
        .query(
          `UPDATE payments.parked_requests SET retry = true WHERE payment_request_id = $1 RETURNING payment_request_id`,
          [args.id<string>('request')],
        );
      return { data: { retried: retried.length } };
    },
  },
];
