import { APPLICATION, database, DOMAIN, INFRASTRUCTURE, type PlantedBug, unit } from './planted-bug.js';

const SUMS = `${DOMAIN}/requests/payment-request-sums.spec.ts`;
const REPOSITORY = `${INFRASTRUCTURE}/requests/persistence/postgres-payment-requests.int-spec.ts`;

const LIMITS = `${APPLICATION}/watching/turn-limits.int-spec.ts`;
const PARKED = `${APPLICATION}/watching/judge-requests-parked.int-spec.ts`;

const GATHERING = `${DOMAIN}/requests/booking/gathering-rule.spec.ts`;
const GATHERED = 'src/app/gathered-deposits.int-spec.ts';

/** Sums of selections that are not what was sent, or that decide otherwise than by their value. */
export const bugsInSums: readonly PlantedBug[] = [
  {
    name: 'shares are compared by amounts of different assets',
    file: `${DOMAIN}/requests/outcome/leading-selection-rule.ts`,
    find: 'a.amount * b.selection.amount > b.amount * a.selection.amount',
    replace: 'a.amount > b.amount && a.selection !== b.selection',
    caughtBy: unit(SUMS, 'let the largest share decide at the deadline of all networks, by its own amount'),
  },
  {
    name: 'the dust of a stranger settles the choice',
    file: `${DOMAIN}/requests/outcome/leading-selection-rule.ts`,
    find: 'amount >= selection.minimumAmount',
    replace: 'amount > 0n && selection.amount > 0n',
    caughtBy: unit(SUMS, 'is left %s by %s'),
  },
  {
    name: 'what a reorganisation took from the final sum stays in it',
    file: `${DOMAIN}/requests/outcome/received-sums.ts`,
    find: 'known.final - lost.amount : known.final',
    replace: 'known.final - 0n : known.final',
    caughtBy: unit(SUMS, 'take off what a reorganisation takes away, also beyond what was final'),
  },
  {
    name: 'what comes after a reorganisation in blocks added up before is never added',
    file: `${DOMAIN}/requests/outcome/received-sums.ts`,
    find: 'Math.min(known.finalTo, blockNumber - 1)',
    replace: 'Math.max(known.finalTo, -1 * blockNumber)',
    caughtBy: unit(SUMS, 'take off what a reorganisation takes away, also beyond what was final'),
  },
  {
    name: 'of the transfers of a block only the last one is added',
    file: `${INFRASTRUCTURE}/requests/persistence/payment-request-row.ts`,
    find: "transferJson('t.in_block')",
    replace: "transferJson('t.amount')",
    caughtBy: database(
      REPOSITORY,
      'gives back those of a block that are final as one, and the last one that was added up',
    ),
  },
  {
    name: 'a block is added up before all of its transfers are marked',
    file: `${INFRASTRUCTURE}/requests/persistence/payment-request-row.ts`,
    find: 'AND (t.block_number < ${NOT_FINAL_FROM}) IS NOT FALSE',
    replace: 'AND t.final',
    caughtBy: database(REPOSITORY, 'leaves a block alone of which not all is marked'),
  },
  {
    name: 'sums are trusted that were stored before the row went on',
    file: `${INFRASTRUCTURE}/requests/persistence/lock-requests.ts`,
    find: 'sums_at_version <> version',
    replace: 'sums_at_version > version',
    caughtBy: database(REPOSITORY, 'adds up anew where the row has gone on since its sums were stored'),
  },
  {
    name: 'what came after the outcome stays counted, and is never booked',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-recorded-transfers.ts`,
    find: 'WHERE uncounting ORDER BY id',
    replace: 'WHERE uncounting AND version = 0 ORDER BY id',
    caughtBy: database(
      'src/contexts/payments/application/watching/follow-chain-dust.int-spec.ts',
      'become deposits over several turns where the request was decided by an earlier block',
    ),
  },
  {
    name: 'a request that cannot be judged stops its network',
    file: `${APPLICATION}/watching/judge-requests.ts`,
    find: 'await this.parked.park(id, one.error.message);',
    replace: 'throw one.error;',
    caughtBy: database(
      PARKED,
      'is parked alone, with its reason and an alert; others of the same turn and later ones go on',
    ),
  },
  {
    name: 'what arrives while a request is parked is forgotten',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-parked-requests.ts`,
    find: 'SET sums_at_version = 0 WHERE id = $1',
    replace: 'SET sums_at_version = version WHERE id = $1',
    caughtBy: database(PARKED, 'is judged again by an operator’s wish, by all that came and went meanwhile'),
  },
  {
    name: 'a block that is replaced and has more transfers than a turn takes back is never left',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-watched-chain.ts`,
    find: 'first.blockNumber, head.number - 1)',
    replace: 'first.blockNumber, head.number)',
    caughtBy: database(LIMITS, 'takes back as many blocks as have no more together, and at least one'),
  },
  {
    name: 'a block with more transfers than a turn reads again is never final',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-recorded-transfers.ts`,
    find: 'Math.max(from, first.blockNumber - 1)',
    replace: 'first.blockNumber - 1',
    caughtBy: database(LIMITS, 'reads as many blocks again as have no more together, and at least one'),
  },
  {
    name: 'what is gathered does not wait for the end of its day',
    file: `${DOMAIN}/requests/booking/gathering-rule.ts`,
    find: 'Date.parse(gatheredOn) + DAY_MS',
    replace: 'Date.parse(gatheredOn) + 0 * DAY_MS',
    caughtBy: unit(GATHERING, 'are one deposit once all of their day is final, named by the last of them'),
  },
  {
    name: 'each reversal of a gathered deposit begins with all of it, so that its fees are rounded anew',
    file: `${DOMAIN}/requests/booking/reversal-rule.ts`,
    find: 'left.set(depositId, before - amount);',
    replace: 'left.set(depositId, before);',
    caughtBy: unit(
      GATHERING,
      'are reversed one by one, each from what the ones before have left of their deposit',
    ),
  },
  {
    name: 'what is gathered is never found again once its day is over',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-requests-to-judge.ts`,
    find: 'AND o.network = $1 AND ${isDayOver',
    replace: 'AND o.network <> $1 AND ${isDayOver',
    caughtBy: database(
      GATHERED,
      'are two deposits in the books, of which one transfer may disappear, to the unit',
    ),
  },
  {
    name: 'the row of a gathered transfer does not say which deposit it is in',
    file: `${INFRASTRUCTURE}/requests/persistence/save-payment-requests.sql.ts`,
    find: 'deposit_id = excluded.deposit_id,',
    replace: 'deposit_id = transfers.deposit_id,',
    caughtBy: database(
      GATHERED,
      'are two deposits in the books, of which one transfer may disappear, to the unit',
    ),
  },
];
