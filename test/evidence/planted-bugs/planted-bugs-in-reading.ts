import { APPLICATION, EVM, database, INFRASTRUCTURE, type PlantedBug, unit } from './planted-bug.js';

const FOLLOWING = `${APPLICATION}/watching/follow-chain.int-spec.ts`;
const NATIVE = `${APPLICATION}/watching/follow-chain-native-coin.int-spec.ts`;
const WATCHERS = `${APPLICATION}/watching/follow-chain-two-watchers.int-spec.ts`;
const CONTENTS = `${EVM}/reading/endpoint-contents.spec.ts`;
const REREADING = `${APPLICATION}/watching/cross-check/reread-final-blocks.int-spec.ts`;
const OTHERWISE = `${APPLICATION}/watching/reading/read-onward-changed-block.int-spec.ts`;
const TRUE_IN_PLACE = 'puts the true transfer in the place of one that was read with %s';
const OTHER_TIME = 'waits with finality where another endpoint has another time for %s, which pays';

/** Blocks, logs and balances taken for what they are not, and two watchers at once. */
export const bugsInReading: readonly PlantedBug[] = [
  {
    name: 'the parent of a block is not checked',
    file: `${APPLICATION}/watching/reorganisations/detect-reorganisation.ts`,
    find: `
      header.parentHash !== (blocks[position - 1]?.header ?? read).hash,`,
    replace: `
      false,`,
    caughtBy: database(
      `${APPLICATION}/watching/reorganisations/rewind-chain.int-spec.ts`,
      'leaves the outcome, which cannot be undone, reverses what was posted, and alerts',
    ),
  },
  {
    name: 'the cursor moves past a block that was not read',
    file: `${APPLICATION}/watching/reorganisations/detect-reorganisation.ts`,
    find: 'const firstLoose = blocks.findIndex(',
    replace: 'const firstLoose = [].findIndex(',
    caughtBy: database(
      `${APPLICATION}/watching/reading/read-onward-without-gaps.int-spec.ts`,
      'stops before a block that is missing between others',
    ),
  },
  {
    name: 'a block of the next century is accepted, and all requests expire',
    file: `${APPLICATION}/watching/reading/read-onward.ts`,
    find: 'blocks === null ? null : this.times.validate(network, cursor.head.time, blocks);',
    replace: 'blocks;',
    caughtBy: database(
      `${APPLICATION}/watching/reading/validated-block-times-impossible.int-spec.ts`,
      '%s ends no request, and is read anew when its time is right',
    ),
  },
  {
    name: 'an endpoint that contradicts itself is read for ever',
    file: `${APPLICATION}/watching/reorganisations/rewind-chain.ts`,
    find: 'if (this.contradictedAt.get(network) !== head.hash) {',
    replace: 'if (head.hash !== network) {',
    caughtBy: database(
      `${APPLICATION}/watching/reorganisations/rewind-chain-inconsistent-endpoint.int-spec.ts`,
      'is left for another one where it stays like that',
    ),
  },
  {
    name: 'an endpoint’s blocks are read on behind one that it lacks',
    file: `${EVM}/reading/rpc-chain-reader.ts`,
    find: 'return (gap === -1 ? read : read.slice(0, gap)) as AnsweredBlock[];',
    replace: 'return read.filter((block) => block !== null);',
    caughtBy: unit(
      `${EVM}/reading/rpc-chain-reader.spec.ts`,
      'end before the first that the node does not have',
    ),
  },
  {
    name: 'logs that were removed are read',
    file: `${EVM}/rpc/log-answers.ts`,
    find: 'if (log.removed !== undefined && log.removed !== false)',
    replace: 'if (log.removed === null)',
    caughtBy: unit(CONTENTS, 'are refused if among them are logs %s'),
  },
  {
    name: 'logs of another fork’s block are read',
    file: `${EVM}/rpc/log-answers.ts`,
    find: `if (log.blockHash !== block.hash && word(log.blockHash, 'blockHash') !== block.hash)`,
    replace: `if (word(log.blockHash, 'blockHash') === '')`,
    caughtBy: unit(`${EVM}/reading/rpc-chain-reader.spec.ts`, 'are refused if a range has logs %s'),
  },
  {
    name: 'an answer of no logs is accepted against the bloom filter',
    file: `${EVM}/reading/logs/endpoint-logs.ts`,
    find: `if (doubtful.length === 0) return;
    await this.blocks.know(`,
    replace: `if (doubtful.length >= 0) return;
    await this.blocks.know(`,
    caughtBy: unit(CONTENTS, 'are asked for again where none came though the block may hold some'),
  },
  {
    name: 'the log index is forgotten: one transaction, one transfer',
    file: `${APPLICATION}/watching/reading/match-arrivals.ts`,
    find: `({ to, toTag, token, amount }) =>
          owners.has(recipientKey({ address: to, tag: toTag })) && assets.has(token) && amount > 0n,`,
    replace: `({ to, toTag, token, amount, transactionHash }, at) =>
          owners.has(recipientKey({ address: to, tag: toTag })) && assets.has(token) && amount > 0n &&
          transfers.findIndex((other) => other.transactionHash === transactionHash) === at,`,
    caughtBy: database(FOLLOWING, 'counts each of several transfers in one transaction once'),
  },
  {
    name: 'the log index is forgotten by the second reading',
    file: `${APPLICATION}/watching/cross-check/compare-readings.ts`,
    find: 'return `${kind} ${transactionHash} ${index} ',
    replace: 'return `${kind} ${transactionHash} ${index < 0} ',
    caughtBy: database(REREADING, 'finds one of two equal transfers in one transaction'),
  },
  {
    name: 'who sent a transfer is forgotten by the second reading',
    file: `${APPLICATION}/watching/cross-check/compare-readings.ts`,
    find: '${asset} ${from} ${to}',
    replace: '${asset} ${from.length} ${to}',
    caughtBy: database(OTHERWISE, TRUE_IN_PLACE),
  },
  {
    name: 'which asset a transfer is of is forgotten by the second reading',
    file: `${APPLICATION}/watching/cross-check/compare-readings.ts`,
    find: '${asset} ${from} ${to}',
    replace: '${asset === null} ${from} ${to}',
    caughtBy: database(OTHERWISE, TRUE_IN_PLACE),
  },
  {
    name: 'in which block a transfer is is forgotten by the second reading',
    file: `${APPLICATION}/watching/cross-check/compare-readings.ts`,
    find: '${amount} ${transfer.blockHash}`;',
    replace: '${amount}`;',
    caughtBy: database(
      OTHERWISE,
      'puts the true transfer in the place of one that was read in another block',
    ),
  },
  {
    name: 'one endpoint alone decides the time of a block',
    file: `${APPLICATION}/watching/cross-check/block-mismatch.ts`,
    find: 'if (theirs.time.getTime() === time.getTime()) return null;',
    replace: 'if (time.getTime() > 0) return null;',
    caughtBy: database(OTHERWISE, OTHER_TIME),
  },
  {
    name: 'the last block’s time stands for those of the blocks below it',
    file: `${APPLICATION}/watching/cross-check/reread-final-blocks.ts`,
    find: 'transfers.filter(({ blockNumber }) => blockNumber !== compared);',
    replace: 'transfers.filter(({ blockNumber }) => blockNumber > compared);',
    caughtBy: database(OTHERWISE, OTHER_TIME),
  },
  {
    name: 'a look-alike token is credited',
    file: `${APPLICATION}/watching/reading/match-arrivals.ts`,
    find: `    return new Map(assets.map((asset) => [asset.token, asset]));`,
    replace: `    const known = new Map(assets.map((asset) => [asset.token, asset]));
    known.has = () => true;
    known.get = (token) => assets.find((asset) => asset.token === token) ?? assets[0];
    return known;`,
    caughtBy: database(
      FOLLOWING,
      'passes over transfers of nothing, and over tokens that are not in the catalogue',
    ),
  },
  {
    name: 'the value of a reverted transaction counts',
    file: `${APPLICATION}/watching/reading/match-arrivals.ts`,
    find: `kind !== 'call' || successful!.has(transactionHash)`,
    replace: `kind !== 'call' || transactionHash !== ''`,
    caughtBy: database(NATIVE, 'by a transaction that was reverted counts nothing'),
  },
  {
    name: 'a receipt’s failure is taken for success',
    file: `${EVM}/reading/endpoint-proofs.ts`,
    find: 'succeeded: status === 1,',
    replace: 'succeeded: status <= 1,',
    caughtBy: unit(`${EVM}/reading/endpoint-proofs.spec.ts`, 'is told by their receipts'),
  },
  {
    name: 'two receipts of a failure that have the log refute a payment',
    file: `${EVM}/reading/endpoint-proofs.ts`,
    find: `if (!succeeded && logs.includes(true)) throw new MalformedAnswer('a transaction that failed has a log');`,
    replace: 'if (!succeeded) logs.fill(false);',
    caughtBy: unit(
      `${EVM}/reading/endpoint-proofs-of-transfers.spec.ts`,
      'is neither shown nor refuted by a receipt of a failure that has its log',
    ),
  },
  {
    name: 'an internal transfer is dated by the last block of a turn',
    file: `${APPLICATION}/watching/internal-transfers/find-internal-transfers.ts`,
    find: 'for (const { header, since } of steps) {',
    replace: 'for (const { header, since } of steps.slice(-1)) {',
    caughtBy: database(
      NATIVE,
      'inside a contract call is found by the balance, in the block that it arrived in',
    ),
  },
  {
    name: 'what an address paid out is forgotten when its balance is compared',
    file: `${APPLICATION}/watching/internal-transfers/pending-movements.ts`,
    find: 'paidOut(payouts) -',
    replace: '0n * paidOut(payouts) -',
    caughtBy: database(NATIVE, 'is seen though the address has paid out what arrived before'),
  },
  {
    name: 'the balance sweep goes on with every block',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-native-balances.ts`,
    find: 'AND (c.balances_swept_to IS NOT NULL',
    replace: 'AND (true OR c.balances_swept_to IS NOT NULL',
    caughtBy: database(NATIVE, 'costs one question a day and address, not one with each block'),
  },
  {
    name: 'the epoch of the lease is not checked when the cursor moves on',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-watched-chain.ts`,
    find: `  ): Promise<ChainProgress> {
    await this.leases.protect(watcherLease(network), epoch);`,
    replace: `  ): Promise<ChainProgress> {
    if (epoch < 0n) throw new Error();`,
    caughtBy: database(WATCHERS, 'are fenced apart by the epoch: one that was replaced writes nothing'),
  },
  {
    name: 'the epoch of the lease is not checked when the cursor goes back',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-watched-chain.ts`,
    find: `  ): Promise<Map<PaymentRequestId, RecordedTransfer[]>> {
    await this.leases.protect(watcherLease(network), epoch);`,
    replace: `  ): Promise<Map<PaymentRequestId, RecordedTransfer[]>> {
    if (epoch < 0n) throw new Error();`,
    caughtBy: database(WATCHERS, 'are fenced apart also when they go back'),
  },
  {
    name: 'the cursor moves from wherever another watcher has left it',
    file: `${INFRASTRUCTURE}/watching/persistence/postgres-watched-chain.ts`,
    find: `WHERE c.network = $1 AND c.head_number = $2 AND c.head_hash = $3`,
    replace: `WHERE c.network = $1 AND (c.head_number = $2 AND c.head_hash = $3 OR true)`,
    caughtBy: database(WATCHERS, 'make one transition with one event: the slower one finds the cursor moved'),
  },
];
