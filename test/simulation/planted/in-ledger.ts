import type { PlantedBug } from './planted-bug.js';

const DOMAIN = 'contexts/ledger/domain';
const PERSISTENCE = 'contexts/ledger/infrastructure/persistence';

/** The ledger and the figures that are counted beside it. */
export const bugsInLedger: readonly PlantedBug[] = [
  {
    name: 'the service fee is rounded to the nearest unit',
    file: `${DOMAIN}/service-fee.ts`,
    from: 'return (gross * BigInt(basisPoints)) / WHOLE;',
    to: 'return (gross * BigInt(basisPoints) + WHOLE / 2n) / WHOLE;',
    shows: 'always',
    breaks: 'A merchant is booked one unit less than the forwarder pays out.',
  },
  {
    name: 'the fee of a reversal is taken of the reversed amount',
    file: `${DOMAIN}/adjustment.ts`,
    from: 'const net = netOf(after, feeBasisPoints) - netOf(before, feeBasisPoints);',
    to: 'const net = -netOf(before - after, feeBasisPoints);',
    shows: 'reorganisation',
    breaks: 'What is left of a payment after a reversal differs by one unit from its own net.',
  },
  {
    name: 'money of a settlement that failed stays settled in the books',
    file: `${PERSISTENCE}/transaction-selection.sql.ts`,
    from: "WHERE c.transaction_id = l.withdrawal_id AND c.status = 'failed')`;",
    to: "WHERE c.transaction_id = l.withdrawal_id AND c.status = 'error')`;",
    shows: 'reorganisation',
    breaks: 'The next settlement of that money covers no payment in the ledger.',
  },
  {
    name: 'money that was settled before it was booked is not covered',
    file: `${DOMAIN}/followed/late-cover.ts`,
    from: 'transaction.grossAmount <= payout.uncovered &&',
    to: 'transaction.grossAmount < payout.uncovered &&',
    shows: 'race',
    breaks: 'A deposit is shown as unsettled though a settlement has paid it out.',
  },
  {
    name: 'what is owed is worked out anew from the whole payout',
    file: `${DOMAIN}/followed/open-money.ts`,
    from: 'return uncoveredOf(payout, delivered) === 0n\n',
    to: 'return uncoveredOf(payout, delivered) !== 0n\n',
    shows: 'always',
    breaks: 'After a settlement of two payments to one address the merchant is owed a unit of rounding.',
  },
  {
    name: 'gas of a refund that failed is booked nowhere',
    file: `${DOMAIN}/followed/standing.ts`,
    from: 'return [...paidOut(event), ...gasOf(event.gas)];',
    to: "return [...paidOut(event), ...gasOf(event.status === 'completed' ? event.gas : undefined)];",
    shows: 'always',
    breaks: 'The books of a float have more than it holds.',
  },
  {
    name: 'a refund that was cancelled before its approval is booked',
    file: `${DOMAIN}/followed/followed-books.ts`,
    from: "return status === 'failed' && kind !== 'settlement';",
    to: "return status === 'failed' && kind === 'float_withdrawal';",
    shows: 'always',
    breaks: 'The transactions of an account have a refund that never was under way.',
  },
  {
    name: 'figures go on counting a settlement that failed',
    file: 'contexts/figures/infrastructure/persistence/figure-changes.sql.ts',
    from: "  ('settlement.status_changed', 'failed', 'settled', -1, (e.data ->> 'amount')::numeric),\n",
    to: '',
    shows: 'reorganisation',
    breaks: 'The figures of a day differ from its records (verify).',
  },
  {
    name: 'a deposit is dated by when it was booked',
    file: 'contexts/ledger/infrastructure/subscribers/posted-events.ts',
    from: "type === 'payment_request.credit_reversed' ||",
    to: "type !== 'payment_request.confirmed' ||",
    shows: 'always',
    breaks: 'The transaction of a deposit has another time than the block that brought it.',
  },
];
