import { APPLICATION, database, INFRASTRUCTURE, NETWORKS, type PlantedBug, unit } from './planted-bug.js';

const PENDING = `${APPLICATION}/watching/pending`;
const WAITING = `${PENDING}/read-pending.int-spec.ts`;
const LOOKS = `${PENDING}/read-pending-looks.int-spec.ts`;
const MEMPOOLS = `${NETWORKS}/bitcoin/pending/mempools-of-endpoints.spec.ts`;
const SAYS_NOTHING = 'says nothing new when it is mined, nor when its block goes and it waits again';

/** Transfers in no block that count by another time, for too long or too briefly, or at a depth that is not enough. */
export const bugsInPending: readonly PlantedBug[] = [
  {
    name: 'absence from a look that is not whole ends a request',
    file: `${PENDING}/read-pending.ts`,
    find: 'readAt: look.isWhole && isThrough ?',
    replace: 'readAt: isThrough ?',
    caughtBy: database(LOOKS, 'that is not whole keeps every request open past its deadline, until one is'),
  },
  {
    name: 'a look claims the time since its lists were asked for',
    file: `${PENDING}/read-pending.ts`,
    find: 'begun.getTime() - Math.ceil(ageMs)',
    replace: 'begun.getTime() - 0 * ageMs',
    caughtBy: database(
      LOOKS,
      'claims to know what waits up to the time when its lists were asked for, and never less than before',
    ),
  },
  {
    name: 'the age of a list is counted from when it came',
    file: `${NETWORKS}/bitcoin/pending/bitcoin-pending-transfers.ts`,
    find: 'followed.listedAt = begun;',
    replace: 'followed.listedAt = performance.now();',
    caughtBy: unit(MEMPOOLS, 'A look between two lists says how long ago its list was asked for'),
  },
  {
    name: 'what one endpoint holds is gone while that one fails',
    file: `${NETWORKS}/bitcoin/pending/bitcoin-pending-transfers.ts`,
    find: 'followed.counted = [...lists.keys(), ...missed];',
    replace: 'followed.counted = [...lists.keys()];',
    caughtBy: unit(
      MEMPOOLS,
      'show what one holds while the other fails, and absence then means nothing until that one is away',
    ),
  },
  {
    name: 'two that cannot both be mined count both',
    file: `${PENDING}/accept-pending.ts`,
    find: "if (accepted.get(request)?.some(conflicts) === true) return 'waits';",
    replace: '',
    caughtBy: database(LOOKS, 'counts one of two that cannot both be mined, though endpoints hold both'),
  },
  {
    name: 'a little money in time reserves the place of much that is late',
    file: `${PENDING}/replaced-transfers.ts`,
    find: 'if (!isNoMore) return undefined;',
    replace: '',
    caughtBy: database(WAITING, 'hands its first sight to a replacement %s'),
  },
  {
    name: 'what was replaced goes on counting',
    file: `${PENDING}/read-pending.ts`,
    find: "fates[i] === 'replaced' ? id : []",
    replace: "fates[i] === 'mined' ? id : []",
    caughtBy: database(WAITING, 'counts no more once it is replaced by what pays elsewhere'),
  },
  {
    name: 'what is never mined keeps its request open for ever',
    file: `${PENDING}/read-pending.ts`,
    find: 'const lapsed = page.filter(({ lapsesAt }) => lapsesAt < readTo.time);',
    replace: 'const lapsed = page.filter(({ lapsesAt }) => lapsesAt < new Date(0));',
    caughtBy: database(
      WAITING,
      'lapses when the chain has passed its time, and is late when it is mined after all',
    ),
  },
  {
    name: 'a payment in time is lost with its block, past the deadline',
    file: `${PENDING}/pending-again.ts`,
    find: 'if (waiting.length > 0) returned.set(id, waiting);',
    replace: 'if (waiting.length < 0) returned.set(id, waiting);',
    caughtBy: database(
      WAITING,
      'waits again when its block has gone, though the deadline is past, and counts in its next block',
    ),
  },
  {
    name: 'a payment that is mined is shown as gone and come again',
    file: `${APPLICATION}/watching/judge-requests.ts`,
    find: 'const transfers = request.lose(lostOf(id), now, standing, arrived.get(id));',
    replace: `const transfers = request.lose(lostOf(id), now, standing);
      request.receive(arrived.get(id) ?? [], now);`,
    caughtBy: database(WAITING, SAYS_NOTHING),
  },
  {
    name: 'much money in small parts is final as soon as each part',
    file: `${APPLICATION}/watching/reading/complete-arrivals.ts`,
    find: 'amount > whole ? amount : whole',
    replace: 'amount > whole ? whole : amount',
    caughtBy: database(
      LOOKS,
      'follows the greater of its amount and of what is asked for, so that parts are no sooner final',
    ),
  },
  {
    name: 'the depth that an amount asks for is not waited for',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-recorded-transfers.ts`,
    find: "const FINAL_FROM = '(t.block_number + t.extra_confirmations)';",
    replace: "const FINAL_FROM = '(t.block_number + 0 * t.extra_confirmations)';",
    caughtBy: database(LOOKS, 'holds a deposit back, too'),
  },
];
