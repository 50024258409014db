import type { PlantedBug } from './planted-bug.js';

const SETTLING = 'contexts/settlement/infrastructure/settling';
const DOMAIN = 'contexts/settlement/domain/settling';
const PAYOUTS = 'contexts/payments/infrastructure/watching/persistence/payouts/postgres-recorded-payouts.ts';

/** Settlement: what is due, what was paid out, and what a reorganisation undoes. */
export const bugsInSettlement: readonly PlantedBug[] = [
  {
    name: 'an address whose credit was reversed is settled',
    file: `${SETTLING}/persistence/postgres-due-money.ts`,
    from: 'AND ${IS_WORTH} AND NOT ${IS_HELD} AND NOT ${IS_ASIDE}',
    to: 'AND ${IS_WORTH} AND NOT ${IS_ASIDE}',
    shows: 'reorganisation',
    breaks: 'Money of an address that the operator has to look at is paid out.',
  },
  {
    name: 'small money waits for days in place of hours',
    file: `${SETTLING}/persistence/postgres-due-money.ts`,
    from: 'make_interval(secs => $3 * 3600)',
    to: 'make_interval(secs => $3 * 86400)',
    shows: 'always',
    breaks: 'What is too little for its gas is not settled after the stated hours.',
  },
  {
    name: 'money of a settlement that disappeared waits no more',
    file: 'contexts/settlement/application/settling/follow-money.ts',
    from: `            changes.push(...takenBy(settlement.facts).map((taken) => ({ ...taken, change: -taken.change })));\n`,
    to: '',
    shows: 'reorganisation',
    breaks: 'Money that a reorganisation put back to its address is never settled again.',
  },
  {
    name: 'a settlement that is completed cannot fail',
    file: `${DOMAIN}/settlement.ts`,
    from: "completed: ['failed'],",
    to: 'completed: [],',
    shows: 'reorganisation',
    breaks: 'A settlement stays completed though its final block was replaced, and its events are parked.',
  },
  {
    name: 'payouts to two settlement addresses are one settlement',
    file: `${DOMAIN}/payout-facts.ts`,
    from: 'const key = `${payout.uniqueAssetId} ${payout.settlementAddress}`;',
    to: 'const key = payout.uniqueAssetId;',
    shows: 'always',
    breaks: 'A settlement names one address for money of which a part went to the address before.',
  },
  {
    name: 'the fee of a payout goes on waiting',
    file: `${DOMAIN}/payout-facts.ts`,
    from: 'change: -(toSettlement + toFee),',
    to: 'change: -toSettlement + toFee,',
    shows: 'always',
    breaks: 'Money that was paid out as a fee is shown as unsettled, and its account cannot be deleted.',
  },
  {
    name: 'a settlement is written before its events',
    file: `${SETTLING}/persistence/postgres-settlements.ts`,
    from: 'await this.eventLog.append(settlements.flatMap((settlement) => settlement.pullEvents()));',
    to: `const events = settlements.flatMap((settlement) => settlement.pullEvents());
    this.database.afterCommit(() => {
      this.database.run(() => this.eventLog.append(events)).catch(() => undefined);
    });`,
    shows: 'kill',
    breaks: 'A settlement is completed that is in no ledger and of which nobody was told.',
  },
  {
    name: 'payouts are final one block early',
    file: PAYOUTS,
    from: 'AND NOT final AND block_number <= $2',
    to: 'AND NOT final AND block_number <= $2::bigint + 1',
    shows: 'always',
    breaks: 'A settlement is completed with one confirmation less than its network asks for.',
  },
  {
    name: 'payouts are final before anybody is told',
    file: PAYOUTS,
    from: '    await this.eventLog.append(groups.map((group) => payoutsFinal(network, group, at)));',
    to: `    const events = groups.map((group) => payoutsFinal(network, group, at));
    this.database.afterCommit(() => {
      this.database.run(() => this.eventLog.append(events)).catch(() => undefined);
    });`,
    shows: 'kill',
    breaks: 'A settlement is processing for ever, and its money in flight.',
  },
  {
    name: 'merchants do not hear of settlements that failed',
    file: 'contexts/webhooks/application/events/settlement-bodies.ts',
    from: "NOTIFIED_SETTLEMENT_STATUSES = ['completed', 'failed'];",
    to: "NOTIFIED_SETTLEMENT_STATUSES = ['completed'];",
    shows: 'reorganisation',
    breaks: 'The events of an account lack a settlement whose block was removed from the chain.',
  },
  {
    name: 'a key of one account finds settlements of another by their hash',
    file: `${SETTLING}/persistence/settlement-queries.ts`,
    from: "'transaction_hash = $7 AND organization_id = $1 AND ($2::uuid IS NULL OR account_id = $2)',",
    to: "'transaction_hash = $7 AND organization_id = $1 AND ($2::uuid IS NULL OR account_id IS NOT NULL)',",
    shows: 'always',
    breaks: 'An account key is answered settlements of other accounts of its organization.',
  },
];
