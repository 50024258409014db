import { APPLICATION, database, DOMAIN, INFRASTRUCTURE, type PlantedBug, unit } from './planted-bug.js';

const FOLLOWING = `${APPLICATION}/watching/follow-chain.int-spec.ts`;

/** Requests that end, and money that is booked, otherwise than the chain says. */
export const bugsInDeciding: readonly PlantedBug[] = [
  {
    name: 'a payment is dated by when it was detected',
    file: `${DOMAIN}/requests/payment-request.ts`,
    find: 'paysSelection(selections, transfer, expiresAt);',
    replace: 'paysSelection(selections, { ...transfer, blockTime: now }, expiresAt);',
    caughtBy: database(
      FOLLOWING,
      'still finds a payment made in time when the node lagged until long after the deadline',
    ),
  },
  {
    name: 'a request expires by the clock',
    file: `${APPLICATION}/watching/store-findings.ts`,
    find: 'const progress = await this.chain.advance(network, step, epoch);',
    replace: 'const progress = { ...(await this.chain.advance(network, step, epoch)), headTime: now };',
    caughtBy: database(
      FOLLOWING,
      'waits for the reading, not for the clock, before it lets a request expire',
    ),
  },
  {
    name: 'the block at the very deadline is too late',
    file: `${DOMAIN}/requests/outcome/deadline-and-grace-rule.ts`,
    find: 'arrivalTime(transfer) <= lastCounting(selection, expiresAt)',
    replace: 'arrivalTime(transfer) < lastCounting(selection, expiresAt)',
    caughtBy: unit(
      `${DOMAIN}/requests/payment-request.spec.ts`,
      'counts a transfer in the last block of the grace',
    ),
  },
  {
    name: 'an internal transfer that was dropped is dated by when it is found again',
    file: `${APPLICATION}/watching/internal-transfers/find-internal-transfers.ts`,
    find: 'hidden !== null && hidden < time ? hidden : time',
    replace: 'hidden !== null && hidden < time ? time : time',
    caughtBy: database(
      `${APPLICATION}/watching/internal-transfers/find-internal-transfers.int-spec.ts`,
      'is dated by the transfer dropped, where blocks are read in the same turn',
    ),
  },
  {
    name: 'a request is decided before its payment is final',
    file: `${DOMAIN}/requests/outcome/outcome-rule.ts`,
    find: 'final === null ? [] : (addBlocksOf(progress, network, final.number) ?? [])',
    replace: 'final === undefined ? [] : (addBlocksOf(progress, network, Infinity) ?? [])',
    caughtBy: unit(`${DOMAIN}/requests/outcome/outcome-rule.spec.ts`, 'waits while nothing is final'),
  },
  {
    name: 'a request is underpaid while a part that was found late is not final',
    file: `${DOMAIN}/requests/outcome/ending-rule.ts`,
    find: 'return waits ? null',
    replace: 'return waits && status === null ? null',
    caughtBy: database(
      `${APPLICATION}/watching/internal-transfers/find-internal-transfers-unknown-balances.int-spec.ts`,
      'is waited for until the block that it was found in is final',
    ),
  },
  {
    name: 'a request expires although another of its networks is not read so far',
    file: `${DOMAIN}/requests/outcome/deadline-and-grace-rule.ts`,
    find: 'return selections.every((selection) => {',
    replace: 'return selections.some((selection) => {',
    caughtBy: unit(
      `${DOMAIN}/requests/payment-request-several-networks.spec.ts`,
      'waits for finality on both when what was seen has disappeared',
    ),
  },
  {
    name: 'what a reorganisation took away stays recorded',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-watched-chain.ts`,
    find: `return orphanTransfers(this.database, 'network = $1 AND block_number > $2', above);`,
    replace: 'return new Map();',
    caughtBy: database(
      `${APPLICATION}/watching/reorganisations/rewind-chain.int-spec.ts`,
      'un-counts silently, and counts again what is included again, at every depth from 1 to 20',
    ),
  },
  {
    name: 'what a reorganisation took away goes on counting',
    file: `${DOMAIN}/requests/booking/reversal-rule.ts`,
    find: 'progress.sums = withoutLost(progress.sums, transfer);',
    replace: 'progress.sums = [...progress.sums];',
    caughtBy: unit(`${DOMAIN}/requests/payment-request.spec.ts`, 'un-counts them silently'),
  },
  {
    name: 'what was posted disappears without a reversal',
    file: `${DOMAIN}/requests/booking/reversal-rule.ts`,
    find: 'return transfer.depositedAt !== null || isPartOfOutcome(decided, transfer);',
    replace: 'return transfer.depositedAt !== null && isPartOfOutcome(decided, transfer);',
    caughtBy: unit(
      `${DOMAIN}/requests/booking/reversal-rule.spec.ts`,
      'reverses parts of an outcome in chain order, each from what the one before has left',
    ),
  },
  {
    name: 'a credit is reversed without a hold on its address',
    file: `${INFRASTRUCTURE}/requests/persistence/save-payment-requests.sql.ts`,
    find: 'reversedAt === null\n',
    replace: 'reversedAt !== undefined\n',
    caughtBy: database(
      `${INFRASTRUCTURE}/requests/persistence/postgres-payment-requests.int-spec.ts`,
      'holds the address, keeps the amount received, and goes on from what still stands',
    ),
  },
  {
    name: 'late money becomes a deposit twice',
    file: `${DOMAIN}/requests/booking/deposit-rule.ts`,
    find: '&& depositedAt === null && reversedAt === null',
    replace: '&& depositedAt !== undefined && reversedAt === null',
    caughtBy: unit(
      `${DOMAIN}/requests/booking/deposit-rule.spec.ts`,
      'is a deposit once only, and changes nothing of the outcome',
    ),
  },
  {
    name: 'late money is a deposit before it is final',
    file: `${DOMAIN}/requests/booking/deposit-rule.ts`,
    find: 'final === null || finalFrom(transfer) > final.number ||',
    replace: 'final === null || finalFrom(transfer) < 0 ||',
    caughtBy: unit(
      `${DOMAIN}/requests/booking/deposit-rule.spec.ts`,
      'waits for a network that is not read, and for finality of its own network',
    ),
  },
];
