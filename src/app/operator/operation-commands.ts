import { ModulesContainer } from '@nestjs/core';
import { Database } from '../../shared/platform/database/database.js';
import { registeredInvariants } from '../../shared/platform/invariants/registered-invariants.js';
import { verify } from '../verify.js';
import type { Command } from './command.js';

export const operationCommands: Command[] = [
  {
    words: 'verify',
    about: 'Check every invariant on the data as it is now; exit status 1 on any breach.',
    async run(context) {
      const database = context.get(Database, { strict: false });
      const invariants = registeredInvariants(context.get(ModulesContainer));
      const verdicts = await verify(invariants, (text) => database.query(text));
      const broken = verdicts.filter(({ breaches }) => breaches.length > 0);
      return {
        data: { invariants: verdicts.length, broken },
        note:
          broken.length === 0
            ? `All ${verdicts.length} invariants hold.`
            : `${broken.length} invariants are broken.`,
        exitCode: broken.length === 0 ? 0 : 1,
      };
    },
  },
  {
    words: 'events list-parked',
    about: 'List the events that a subscriber could not apply, and why.',
    async run(context) {
      const parked = await context.get(Database, { strict: false }).query(
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
    arguments: ['subscriber'],
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
