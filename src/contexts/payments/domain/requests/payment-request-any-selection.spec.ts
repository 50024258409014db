import { describe, expect, it } from '@jest/globals';
import { forEachSeed, type SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { NETWORK, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import {
  chosenRequest,
  LAST_BLOCK,
  LAST_OTHER_BLOCK,
  progressTo,
  threeSelections,
  timeOf,
  newStatuses,
  transferTo,
} from '../../testing/requests/payment-request-builder.js';
import type { PaymentRequest } from './payment-request.js';
import type { Selection } from './selection.js';
import type { Arrival, RecordedTransfer } from './transfer.js';

const CONFIRMATIONS = 6;
const END = LAST_OTHER_BLOCK + 2 * CONFIRMATIONS;
const now = timeOf(END);
const LAST: Record<string, number> = { [NETWORK]: LAST_BLOCK, [OTHER_NETWORK]: LAST_OTHER_BLOCK };
const MINIMUM = 20n;
const all = threeSelections([100n, 80n, 60n]).map((selection) => ({ ...selection, minimumAmount: MINIMUM }));

type Blocks = Arrival[][];

/** A network as one life of a request saw it. */
interface Chain {
  readonly network: string;
  readonly blocks: Blocks;
  final: number;
}

/** How a request must end: the words of the rules, for whoever has read that far. */
interface Ending {
  readonly status: string;
  readonly asset?: string;
  readonly received: bigint;
}

/** The sum of the selection in blocks up to that one and in time. */
function sumTo(block: number, { uniqueAssetId, network }: Selection, read: readonly Arrival[]): bigint {
  return read.reduce(
    (sum, arrived) =>
      arrived.uniqueAssetId === uniqueAssetId && arrived.blockNumber <= Math.min(block, LAST[network]!)
        ? sum + arrived.amount
        : sum,
    0n,
  );
}

const largest = (of: readonly { selection: Selection; sum: bigint }[]) =>
  [...of].sort((a, b) => Number(b.sum * a.selection.amount - a.sum * b.selection.amount))[0];

/** The first block in which one is fully paid, on whatever network; else, past all deadlines, the largest share. */
function endingOf(
  chains: readonly Chain[],
  read: readonly Arrival[],
  chosen: readonly Selection[],
): Ending | null {
  const finalOf = ({ network }: Selection) => chains.find((chain) => chain.network === network)!.final;
  for (let block = 0; block <= END; block += 1) {
    const paid = chosen
      .filter((selection) => block <= finalOf(selection))
      .map((selection) => ({ selection, sum: sumTo(block, selection, read) }))
      .filter(({ selection, sum }) => sum >= selection.amount);
    const first = largest(paid);
    if (first === undefined) continue;
    const { selection, sum } = first;
    const status = sum === selection.amount ? 'completed' : 'overpaid';
    return { status, asset: selection.uniqueAssetId, received: sum };
  }
  if (chosen.some((selection) => finalOf(selection) <= LAST[selection.network]!)) return null;
  const received = chosen.map((selection) => ({ selection, sum: sumTo(END, selection, read) }));
  const most = largest(received.filter(({ sum }) => sum >= MINIMUM));
  if (most === undefined) return { status: 'expired', received: 0n };
  return { status: 'underpaid', asset: most.selection.uniqueAssetId, received: most.sum };
}

function result(request: PaymentRequest): Ending {
  const { status, selected, receivedAmount: received } = request.snapshot();
  return { status, ...(received > 0n && { asset: selected!.uniqueAssetId }), received };
}

/** Some of the three, in any order, chosen to and fro; never none. */
function randomChoice(random: SeededRandom): Selection[] {
  return random.shuffled(all).slice(0, random.whole(1, 3));
}

/** To addresses that were shown, in whatever asset. */
function mineInto(
  { network, blocks }: Chain,
  random: SeededRandom,
  eagerness: number,
  chosen: readonly Selection[],
): Arrival[] {
  const shown = new Set(chosen.map(({ depositAddress }) => depositAddress.address));
  const paidIn = all.filter((asset) => asset.network === network && shown.has(asset.depositAddress.address));
  const count = paidIn.length > 0 && random.chance(eagerness) ? random.whole(1, 3) : 0;
  const block = Array.from({ length: count }, (_, index) => {
    const asset = paidIn[random.whole(0, paidIn.length - 1)]!;
    const amount = random.chance(0.3) ? asset.amount : BigInt(random.whole(1, 50));
    return transferTo(asset, amount, blocks.length, index);
  });
  blocks.push(block);
  return block;
}

function follow(request: PaymentRequest, chains: readonly Chain[]): void {
  const begun = chains.filter(({ blocks }) => blocks.length > 0);
  const progress = begun.map(
    ({ network, blocks, final }) =>
      [network, progressTo(blocks.length - 1, final < 0 ? null : final)] as const,
  );
  request.judge(new Map(progress), now);
}

/**
 * Lives with both networks, paid on, read by turns and at any pace, each to its end.
 * @param take takes blocks back after a turn
 * @returns how it must have ended, by what was final at the first moment that decided it
 */
function live(
  request: PaymentRequest,
  random: SeededRandom,
  chosen: readonly Selection[],
  take: (chain: Chain, read: Arrival[]) => void,
): Ending {
  let ending: Ending | null = null;
  const step = () => {
    ending ??= endingOf(chains, read, chosen);
    follow(request, chains);
  };
  const eagerness = random.next() * 0.1;
  const chains = [NETWORK, OTHER_NETWORK].map((network): Chain => ({ network, blocks: [], final: -1 }));
  const read: Arrival[] = [];
  for (;;) {
    const unfinished = chains.filter(({ blocks }) => blocks.length <= END);
    if (unfinished.length === 0) return ending!;
    const chain = unfinished[random.whole(0, unfinished.length - 1)]!;
    const unread: Arrival[] = [];
    for (let left = random.whole(1, 8); left > 0 && chain.blocks.length <= END; left -= 1)
      unread.push(...mineInto(chain, random, eagerness, chosen));
    read.push(...unread);
    request.receive(random.shuffled(unread), now);
    chain.final = Math.max(chain.final, chain.blocks.length - CONFIRMATIONS);
    step();
    take(chain, read);
    step();
  }
}

/** Never final blocks; nor, past the deadline, those before it, by which it may have expired (section 5). */
function takeBack(request: PaymentRequest, random: SeededRandom, chain: Chain, read: Arrival[]): void {
  const head = chain.blocks.length - 1;
  const last = LAST[chain.network]!;
  const deepest = Math.min(head - Math.max(chain.final, -1), head > last ? head - last - 1 : head);
  if (deepest < 1 || !random.chance(0.3)) return;
  const lost = new Set(chain.blocks.splice(chain.blocks.length - random.whole(1, deepest)).flat());
  const ids = new Set([...lost].map(({ id }) => id));
  const recorded = (transfer: RecordedTransfer) => ids.has(transfer.id);
  expect(request.lose(request.snapshot().transfers.filter(recorded), now)).toEqual([]);
  read.splice(0, read.length, ...read.filter((transfer) => !lost.has(transfer)));
}

describe('Any choice of assets, on two networks that are read at any pace', () => {
  it.each([
    ['', () => undefined],
    [', as the final chains say after any reorganisations', takeBack],
  ])(
    'ends with the first selection fully paid, or past all deadlines with the largest share%s',
    (_when, take) => {
      const seen = new Set<string>();

      forEachSeed(500, (random) => {
        const chosen = randomChoice(random);
        const request = chosenRequest(...chosen);
        const ending = live(request, random, chosen, (chain, read) => take(request, random, chain, read));

        expect(result(request)).toEqual(ending);
        seen.add(request.snapshot().status);
      });

      expect([...seen].sort()).toEqual(['completed', 'expired', 'overpaid', 'underpaid']);
    },
  );

  it('is chosen to and fro without a change of any price, and tells each step once', () => {
    forEachSeed(500, (random) => {
      const request = chosenRequest();
      const offered = request.snapshot().selections.length;
      const chosen = Array.from({ length: random.whole(1, 9) }, () => all[random.whole(0, 2)]!);
      for (const [turn, selection] of chosen.entries())
        request.select({ ...selection, amount: selection.amount + BigInt(turn) }, timeOf(3));
      const { selections, selected } = request.snapshot();
      live(request, random, chosen, () => undefined);

      const steps = request.snapshot().history.map(({ status }) => status);

      const firstOf = (asset: string) => chosen.findIndex(({ uniqueAssetId }) => uniqueAssetId === asset);
      expect(offered).toBe(0);
      expect(selections).toContainEqual(selected);
      expect(selected!.uniqueAssetId).toBe(chosen.at(-1)!.uniqueAssetId);
      for (const { uniqueAssetId, amount } of selections) {
        const first = firstOf(uniqueAssetId);
        expect(amount).toBe(chosen[first]!.amount + BigInt(first));
      }
      expect(new Set(selections.map(({ uniqueAssetId }) => uniqueAssetId)).size).toBe(selections.length);
      expect(['pending', ...newStatuses(request)]).toEqual(
        steps.map((step) => (step === 'confirmed' ? 'ledger step' : step)),
      );
      expect(new Set(steps).size).toBe(steps.length);
    });
  });
});
