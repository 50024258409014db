import type { PlantedBug } from './planted-bug.js';

const WATCHING = 'contexts/payments/application/watching';
const PERSISTENCE = 'contexts/payments/infrastructure/watching/persistence';

/** The watcher: what is final, what a reorganisation takes back, and what one node alone may say. */
export const bugsInWatching: readonly PlantedBug[] = [
  {
    name: 'finality comes one block early',
    file: 'contexts/networks/contract/finality-depth.ts',
    from: 'head - confirmations + 1;',
    to: 'head - confirmations + 2;',
    shows: 'always',
    breaks: 'A request is completed with one confirmation less than its network asks for.',
  },
  {
    name: 'finality does not go back with the chain',
    file: `${PERSISTENCE}/postgres-watched-chain.ts`,
    from: `           final_time = CASE WHEN final_number > $4 THEN $6 ELSE final_time END,
           final_number = CASE WHEN final_number > $4 THEN $4 ELSE final_number END`,
    to: `           final_time = CASE WHEN final_number > $4 THEN $6 ELSE final_time END`,
    shows: 'reorganisation',
    breaks:
      'After a reorganisation of final blocks a payment in a new block is completed without confirmations.',
  },
  {
    name: 'what disappeared is taken for what did not count',
    file: `${PERSISTENCE}/orphan-transfers.ts`,
    from: `  for (const { paymentRequestId: id, counted, transfer } of rows) {
    const list = orphaned.get(id) ?? orphaned.set(id, []).get(id)!;
    list.push(readTransfer({ ...transfer, counted }));`,
    to: `  for (const { paymentRequestId: id, transfer } of rows) {
    const list = orphaned.get(id) ?? orphaned.set(id, []).get(id)!;
    list.push(readTransfer(transfer));`,
    shows: 'reorganisation',
    breaks: 'A request completes by money whose block has gone, or counts it twice once it is mined again.',
  },
  {
    name: 'payouts of the first replaced block stay',
    file: `${WATCHING}/reorganisations/rewind-chain.ts`,
    from: 'this.payouts.removeAbove(network, target.number, now)',
    to: 'this.payouts.removeAbove(network, target.number + 1, now)',
    shows: 'reorganisation',
    breaks: 'A settlement goes on being processing or completed though its transaction is in no block.',
  },
  {
    name: 'a payout that the first node hid is not recorded',
    file: `${WATCHING}/store-findings.ts`,
    from: 'const found = [...arrivals.payouts, ...reread.payouts];',
    to: 'const found = [...arrivals.payouts];',
    shows: 'lying node',
    breaks: 'Money that a settlement has paid out is shown as waiting for ever.',
  },
  {
    name: 'a payout that no block holds stays recorded',
    file: `${WATCHING}/store-findings.ts`,
    from: 'refuted: reread.refutedPayouts, found',
    to: 'refuted: [], found',
    shows: 'lying node',
    breaks: 'A settlement is completed that never happened.',
  },
  {
    name: 'a payout is what the second reading alone says',
    file: `${WATCHING}/cross-check/compare-payouts.ts`,
    from: 'if (disputed !== undefined) return',
    to: 'if (disputed?.logIndex === -1) return',
    shows: 'lying node',
    breaks:
      'A settlement fails whose transaction is in its block, and its payments are never settled in the books.',
  },
  {
    name: 'one of two endpoints confirms coin that a contract sent',
    file: `${WATCHING}/cross-check/cross-check-transfers.ts`,
    from: 'if (enough === shown.length) return',
    to: 'if (enough > 0) return',
    shows: 'lying node',
    breaks: 'A balance that one node made up completes a request.',
  },
  {
    name: 'a payout that disappeared counts when balances are compared',
    file: `${PERSISTENCE}/postgres-native-balances.ts`,
    from: '${of}.address AND p.unique_asset_id = $2 AND p.canonical), 0)',
    to: '${of}.address AND p.unique_asset_id = $2), 0)',
    shows: 'reorganisation',
    breaks: 'Coin that is at its address again after its settlement disappeared is credited a second time.',
  },
  {
    name: 'answers of a batch are read in the order in which they come',
    file: 'contexts/networks/infrastructure/json-rpc/rpc-envelope.ts',
    from: 'return calls.map((call, place) => readSingle(call, firstId + place, byPlace[place]));',
    to: `const inOrder = answer as Envelope[];
  return calls.map((call, place) => readSingle(call, Number(inOrder[place]?.id), inOrder[place]));`,
    shows: 'lying node',
    breaks: 'A balance or receipt of one address or transaction is taken for that of another.',
  },
  {
    name: 'times of blocks are judged by the clock of the process',
    file: `${WATCHING}/reading/validated-block-times.ts`,
    from: 'this.clockAtLeast = (await this.clock.now()).getTime();',
    to: 'this.clockAtLeast = Math.min(Date.now(), (await this.clock.now()).getTime());',
    shows: 'clock',
    breaks: 'A worker whose clock was set back reads no more blocks, and no payment is seen.',
  },
  {
    name: 'coin that a contract sent is believed at first sight',
    file: `${WATCHING}/internal-transfers/find-internal-transfers.ts`,
    from: 'to, awaitsCrossCheck: true };',
    to: 'to, awaitsCrossCheck: false };',
    shows: 'lying node',
    breaks: 'A balance that one node made up is received money, and completes a request.',
  },
  {
    name: 'only the second endpoint reads final blocks again, though it has read them first',
    file: `${WATCHING}/cross-check/second-reading.ts`,
    from: 'readBy === fingerprint',
    to: "readBy === ''",
    shows: 'lying node',
    breaks: 'One of two endpoints reads a block twice and hides a payment both times.',
  },
  {
    name: 'two receipts of a failure that have the log refute a payment',
    file: 'contexts/networks/infrastructure/evm/reading/endpoint-proofs.ts',
    from: `if (!succeeded && logs.includes(true)) throw new MalformedAnswer('a transaction that failed has a log');`,
    to: 'if (!succeeded) logs.fill(false);',
    shows: 'lying node',
    breaks: 'A payment is lost where both endpoints show its log, and both call its transaction failed.',
  },
  {
    name: 'an endpoint that answers alone takes back payouts',
    file: `${WATCHING}/cross-check/compare-payouts.ts`,
    from: '!isIndependent && !this.secondEndpoint.isAlone(network)',
    to: '!isIndependent && refuted.length < 0',
    shows: 'lying node',
    breaks:
      'A settlement that was carried out is lost where one endpoint hides its logs while the other is away.',
  },
];
