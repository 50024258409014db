import {
  APPLICATION,
  database,
  DOMAIN,
  INFRASTRUCTURE,
  NETWORKS,
  type PlantedBug,
  unit,
} from './planted-bug.js';

const PAYOUTS = `${APPLICATION}/watching/cross-check/reread-final-blocks-payouts.int-spec.ts`;
const REREADING = `${APPLICATION}/watching/cross-check/reread-final-blocks.int-spec.ts`;
const AGREEMENT_ABOVE = `${APPLICATION}/watching/cross-check/cross-check-transfers-above-threshold.int-spec.ts`;

/** One node trusted alone, and finality where there is none. */
export const bugsInTrust: readonly PlantedBug[] = [
  {
    name: 'one node is trusted: final without the second reading',
    file: `${APPLICATION}/watching/cross-check/reread-final-blocks.ts`,
    find: 'const reread = await this.reread(network, cursor, from, upTo);',
    replace: 'const reread = { ...unchanged(cursor, null), finalNumber: to };',
    caughtBy: database(REREADING, 'drops what was invented before it can be final'),
  },
  {
    name: 'an endpoint that answers alone takes back payouts',
    file: `${APPLICATION}/watching/cross-check/compare-payouts.ts`,
    find: '!isIndependent && !this.secondEndpoint.isAlone(network)',
    replace: '!isIndependent && refuted.length < 0',
    caughtBy: database(
      `${APPLICATION}/watching/cross-check/reread-final-blocks-payouts.int-spec.ts`,
      'stays recorded where the one that showed it hides it while the other is away',
    ),
  },
  {
    name: 'only the second endpoint reads final blocks again, though it has read them first',
    file: `${APPLICATION}/watching/cross-check/second-reading.ts`,
    find: 'readBy === fingerprint',
    replace: "readBy === ''",
    caughtBy: database(
      `${APPLICATION}/watching/cross-check/second-reading.int-spec.ts`,
      'finds what each of them hides in blocks that it has read first',
    ),
  },
  {
    name: 'the endpoint that is read from decides alone which blocks are final',
    file: `${APPLICATION}/watching/cross-check/reread-final-blocks.ts`,
    find: 'return Math.min(to, (await this.secondEndpoint.finalNumber(network)) ?? -1);',
    replace: 'return to;',
    caughtBy: database(
      `${APPLICATION}/watching/cross-check/reread-final-blocks-finality-of-both-endpoints.int-spec.ts`,
      'is not taken from an endpoint for which its newest block is final',
    ),
  },
  {
    name: 'what the second reading finds is not counted',
    file: `${APPLICATION}/watching/store-findings.ts`,
    find: 'joined(reread.missed, arrivals.byRequest, internalTransfers.byRequest)',
    replace: 'joined(new Map(), arrivals.byRequest, internalTransfers.byRequest)',
    caughtBy: database(REREADING, 'finds what the first reading skipped, and decides by it'),
  },
  {
    name: 'what no endpoint shows any more goes on counting',
    file: `${APPLICATION}/watching/store-findings.ts`,
    find: '[...reread.refuted, ...crossCheck.refuted].map(',
    replace: 'crossCheck.refuted.map(',
    caughtBy: database(REREADING, 'drops what was invented before it can be final'),
  },
  {
    name: 'a payout that one of two endpoints hides is removed',
    file: `${APPLICATION}/watching/cross-check/compare-payouts.ts`,
    find: 'read.find((payout) => !shown!.has(placeOf(payout))) ??',
    replace: 'undefined ??',
    caughtBy: database(PAYOUTS, 'stays recorded, and is not final before both show it'),
  },
  {
    name: 'a payout that one of two endpoints invents is recorded',
    file: `${APPLICATION}/watching/cross-check/compare-payouts.ts`,
    find: 'reread.find((payout) => !places.has(placeOf(payout)));',
    replace: 'undefined;',
    caughtBy: database(PAYOUTS, 'is not recorded by the word of the second one alone'),
  },
  {
    name: 'what only one of two endpoints shows is decided by the other alone',
    file: `${APPLICATION}/watching/cross-check/compare-readings.ts`,
    find: 'if (first !== second) return',
    replace: "if (first !== second) return second ? 'shown' : 'refuted'; else if (first === null) return",
    caughtBy: database(
      REREADING,
      'lets no endpoint whose every answer is false confirm anything while another is right',
    ),
  },
  {
    name: 'one endpoint stands in for the second one too',
    file: `${NETWORKS}/endpoints/endpoint-pool.ts`,
    find: 'return choice.secondEndpoint !== null;',
    replace: 'return choice !== null;',
    caughtBy: unit(
      `${NETWORKS}/endpoints/endpoint-pool-second-endpoint.spec.ts`,
      'is the same where there is no other',
    ),
  },
  {
    name: 'one endpoint decides alone in the moment in which the other is silent',
    file: `${NETWORKS}/endpoints/endpoint-pool.ts`,
    find: 'others.some(({ health }) => !health.isAway(now))',
    replace: 'others.some(({ health }) => health.isAway(-Infinity))',
    caughtBy: unit(
      `${NETWORKS}/endpoints/endpoint-pool-second-endpoint.spec.ts`,
      'is missed for some seconds before the reading endpoint is believed alone',
    ),
  },
  {
    name: 'the cross-check of a large transfer is not waited for',
    file: `${APPLICATION}/watching/reading/match-arrivals.ts`,
    find: 'awaitsCrossCheck: crossCheckAbove !== undefined && amount > crossCheckAbove,',
    replace: 'awaitsCrossCheck: crossCheckAbove === -1n,',
    caughtBy: database(
      AGREEMENT_ABOVE,
      'is not final, nor its request decided, before a second endpoint shows its block and receipt',
    ),
  },
  {
    name: 'a large transfer is cross-checked with the endpoint that it was read from',
    file: `${APPLICATION}/watching/cross-check/cross-check-transfers.ts`,
    find: `if (!this.secondEndpoint.isIndependent(network) && this.needsSecondEndpoint(transfer)) return 'waits';`,
    replace: '',
    caughtBy: database(
      AGREEMENT_ABOVE,
      'is not final, nor its request decided, before a second endpoint shows its block and receipt',
    ),
  },
  {
    name: 'a large transfer is cross-checked without the second endpoint’s receipt',
    file: `${APPLICATION}/watching/cross-check/cross-check-transfers.ts`,
    find: 'return shown.flat().every(Boolean)',
    replace: 'return shown[0]![0]',
    caughtBy: database(
      `${APPLICATION}/watching/cross-check/cross-check-transfers.int-spec.ts`,
      'goes on waiting while the second endpoint that comes does not show it',
    ),
  },
  {
    name: 'a request is decided by a transfer that awaits its cross-check',
    file: `${DOMAIN}/requests/outcome/outcome-rule.ts`,
    find: 'const to = Math.min(finalNumber, lowestAwaited(progress, network, finalNumber) - 1);',
    replace: 'const to = Math.min(finalNumber, lowestAwaited(progress, network, finalNumber) + finalNumber);',
    caughtBy: unit(
      `${DOMAIN}/requests/outcome/outcome-rule.spec.ts`,
      'waits where a transfer that awaits its cross-check stands in or before the block that reaches the amount',
    ),
  },
  {
    name: 'finality is taken from a head on another fork',
    file: `${APPLICATION}/watching/reading/validated-finality.ts`,
    find: 'finalByConfirmations(readTo.number, ',
    replace: 'finalByConfirmations(head.number, ',
    caughtBy: database(
      `${APPLICATION}/watching/reading/validated-finality.int-spec.ts`,
      'makes nothing final on ours, though another endpoint still stands on it',
    ),
  },
  {
    name: 'what was final is taken back by one endpoint alone',
    file: `${APPLICATION}/watching/reorganisations/rewind-chain.ts`,
    find: 'if (stillFinal === null) return false;',
    replace: 'if (stillFinal !== undefined) return false;',
    caughtBy: database(REREADING, 'does not undo what was final where one endpoint follows another fork'),
  },
  {
    name: 'a network that is too far behind takes requests',
    file: `${INFRASTRUCTURE}/requests/persistence/reading-progress.sql.ts`,
    find: '(c.head_time > platform.now() - make_interval(secs => c.max_lag_seconds)',
    replace: '(true',
    caughtBy: database(
      `${APPLICATION}/requests/create-payment-request-on-unread-network.int-spec.ts`,
      'is unavailable while its network is read further behind than it may be',
    ),
  },
  {
    name: 'a network whose endpoints disagree for too long takes requests',
    file: `${INFRASTRUCTURE}/requests/persistence/reading-progress.sql.ts`,
    find: 'AND (c.disagrees_since > clock_timestamp() - make_interval(secs => c.max_lag_seconds)) IS NOT FALSE)))',
    replace: 'AND true)))',
    caughtBy: database(
      `${APPLICATION}/requests/create-payment-request-on-unread-network.int-spec.ts`,
      'is unavailable while its endpoints disagree for longer than they may',
    ),
  },
];
