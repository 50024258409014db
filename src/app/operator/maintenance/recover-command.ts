import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import type { CommandResult } from '../command-result.js';
import type { ServiceCommand } from '../command.js';
import { listSendingKeyStatuses } from '../senders/sender-commands.js';

/** Sent before the loss of data was noticed. */
const SELECT_SENT = `
SELECT sent.kind, sent.id, sent."to", min(sent.at) AS at, CASE sent.kind
    WHEN 'transaction' THEN EXISTS (SELECT FROM networks.sending_attempts a WHERE a.hash = sent.id)
    ELSE EXISTS (SELECT FROM webhooks.deliveries d WHERE d.id::text = sent.id) END AS is_stored
FROM platform.losses l, jsonb_to_recordset(l.sent) AS sent (kind text, at text, id text, "to" text)
WHERE l.recovered_at IS NULL GROUP BY sent.kind, sent.id, sent."to" ORDER BY min(sent.at)`;

interface SentRow {
  readonly kind: 'webhook' | 'transaction';
  readonly id: string;
  readonly to: string;
  readonly at: string;
  readonly isStored: boolean;
}

export const acceptLostCommitsCommand: ServiceCommand = {
  words: 'recover',
  about: 'Accept that the database has lost commits, so that the service writes again.',
  options: { show: { about: 'show the lost commits and what was sent, and change nothing' } },
  example: '--show',
  changes: {
    what: 'whether the service writes after a loss',
    irreversible:
      'The lost commits are given up. If another server still has them, restore that copy instead.',
    audited: 'with it',
    onlyReads: (args) => args.flag('show'),
    async preview(context) {
      const losses = await listOpenLosses(context);
      if (losses.length === 0) return null;
      const { sent, held } = await findSentButMissing(context);
      return {
        effect:
          `${losses.map(({ reason }) => String(reason)).join('\n')}\n` +
          `${sent.length} webhooks and transactions were sent but are not stored. ${held.length} keys are held because they sent ` +
          'transactions that are not stored; reconcile them. recover --show lists both.',
        confirmedBy: 'recover',
      };
    },
  },
  async run(context, args) {
    const losses = await listOpenLosses(context);
    const { sent, held } = await findSentButMissing(context);
    if (!args.flag('show'))
      await context.get(Database).query(
        `UPDATE platform.losses SET recovered_at = clock_timestamp(), recovered_by = $1
           WHERE recovered_at IS NULL AND id = ANY ($2::uuid[])`,
        // Closes only the losses displayed to the operator. A loss found later stays open.
        [args.actor, losses.map(({ id }) => id)],
      );
    return {
      data: {
        losses,
        sent_and_not_stored: sent.map(({ isStored: _, ...each }) => each),
        held_senders: held,
      },
      note: noteOnLosses(losses.length, args.flag('show')),
    } satisfies CommandResult;
  },
};

function noteOnLosses(losses: number, isShown: boolean): string {
  if (losses === 0) return 'The database has lost nothing.';
  return isShown
    ? 'The service writes nothing until you run: operator recover.'
    : 'All processes write again within two seconds. Reconcile held keys: operator sender reconcile.';
}

function listOpenLosses(context: INestApplicationContext) {
  return context.get(Database).rows(
    `SELECT id, found_at, found_by, timeline, reason, missing FROM platform.losses
     WHERE recovered_at IS NULL ORDER BY found_at`,
  );
}

/** Finds, by nonce, transactions of any process that are on the chain but not in the database. */
async function findSentButMissing(context: INestApplicationContext) {
  const sent = await context.get(Database).query<SentRow>(SELECT_SENT);
  const senders = await listSendingKeyStatuses(context);
  return {
    sent: sent.filter(({ isStored }) => !isStored),
    held: senders
      .filter(({ held }) => held !== null)
      .map(({ network, address, held }) => ({ network, address, held })),
  };
}
