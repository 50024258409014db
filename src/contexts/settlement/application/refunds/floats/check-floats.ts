import { Injectable } from '@nestjs/common';
import { isNative, type Asset } from '#shared/kernel/asset.js';
import { Clock } from '#shared/kernel/clock.js';
import { newId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  type BlockHeader,
  type ChainQueries,
  ChainUnavailable,
  UNKNOWN_SENDER_ADDRESS,
} from '#contexts/networks/contract/chain-reader.js';
import { NetworkReadProgressQuery } from '#contexts/chain-watching/contract/reading-progress.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  emptyHolding,
  type FloatHolding,
  holdingKeyOf,
  evaluateFloatBalance,
  NATIVE_HOLDING_KEY,
  type FloatWithAddress,
  type FloatBalance,
  type TopUpToStore,
} from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';

export interface FloatShortfall {
  readonly float: FloatWithAddress;
  readonly holding: string;
  readonly amount: bigint;
}

/** The float's stored amounts stay unchanged. */
export interface UnconfirmedBalance {
  readonly float: FloatWithAddress;
  readonly holding: string;
  /** Does not name the float, so that all floats with the same problem share one sentence. */
  readonly says: string;
}

/** Null if the token's contract returns no balance. */
type FloatBalances = ReadonlyMap<string, bigint | null>;

const FLOATS_AT_ONCE = 200;
/** Five minutes and two minutes, at the pace of the workers. */
const CHECKS_AFTER_CHANGE = 150;
const CYCLES_BETWEEN_CHECKS = 60;

/**
 * Detects top-ups at a final block. If the network has several endpoints, a changed balance counts only after a
 * second endpoint has confirmed it.
 */
@Injectable()
export class CheckFloats {
  private readonly cyclesSinceChange = new Map<string, number>();
  private readonly floatCounts = new Map<string, number>();

  constructor(
    private readonly floats: RefundFloats,
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly reading: NetworkReadProgressQuery,
  ) {}

  /** Call once per cycle. While nothing changes, most cycles need no check. */
  isDue(network: string): boolean {
    const cycles = this.cyclesSinceChange.get(network) ?? 0;
    this.cyclesSinceChange.set(network, cycles + 1);
    return cycles < CHECKS_AFTER_CHANGE || cycles % CYCLES_BETWEEN_CHECKS === 0;
  }

  /** Call when the balances of floats are about to change. */
  expectBalanceChange(network: string): void {
    this.cyclesSinceChange.delete(network);
  }

  async check(network: string): Promise<(FloatShortfall | UnconfirmedBalance)[]> {
    const found: (FloatShortfall | UnconfirmedBalance)[] = [];
    let block: BlockHeader | null = null;
    let count = 0;
    for (let after: string | null = null; ;) {
      const floats: FloatWithAddress[] = await this.floats.listWithAddress(network, after, FLOATS_AT_ONCE);
      count += floats.length;
      if (floats.length === 0) {
        if (found.length > 0 || count !== this.floatCounts.get(network)) this.expectBalanceChange(network);
        this.floatCounts.set(network, count);
        return found;
      }
      block ??= await this.readFinalBlock(network);
      if (block === null) return found;
      found.push(...(await this.checkBalances(floats, network, block)));
      after = floats.at(-1)!.id;
    }
  }

  private async readFinalBlock(network: string): Promise<BlockHeader | null> {
    const { reader } = this.chains.of(network);
    const finalNumber = await this.finalNumber(network);
    return finalNumber === null ? null : reader.blockHeader(finalNumber);
  }

  /** The depth at which payouts of the float are final too, so that both are compared at the same block. */
  private async finalNumber(network: string): Promise<number | null> {
    if (this.catalogue.network(network)?.acceptedAfter === undefined)
      return (await this.chains.of(network).reader.head()).finalNumber;
    const progress = await this.reading.networkProgress();
    return progress.find((each) => each.network === network)?.finalizedNumber ?? null;
  }

  private async checkBalances(
    floats: readonly FloatWithAddress[],
    network: string,
    block: BlockHeader,
  ): Promise<(FloatShortfall | UnconfirmedBalance)[]> {
    const found: (FloatShortfall | UnconfirmedBalance)[] = [];
    const news: { float: FloatWithAddress; first: Map<string, bigint> }[] = [];
    // Read without a lock, only to select floats. `compareWithStored` reads them again under a lock.
    const known = await this.floats.holdingsOfAll(floats.map(({ id }) => id));
    const held = await this.readBalances(this.chains.of(network).reader, floats, network, block);
    for (const [index, balances] of held.entries()) {
      const float = floats[index]!;
      const first = new Map<string, bigint>();
      for (const [holding, balance] of balances) {
        if (balance !== null) first.set(holding, balance);
        else found.push({ float, holding, says: 'The token returns no balance of the refund float.' });
      }
      if (hasDifference(known.get(float.id), first, (holding) => this.minimumOf(network, holding)))
        news.push({ float, first });
    }
    const seconds = await this.readFromSecondEndpoint(
      news.map(({ float }) => float),
      network,
      block,
    );
    for (const [index, { float, first }] of news.entries()) {
      const agreed = new Map(
        [...first].filter(([holding, balance]) => isConfirmed(seconds, index, holding, balance)),
      );
      for (const holding of first.keys())
        if (!agreed.has(holding))
          found.push({
            float,
            holding,
            says: 'Two endpoints return different balances of the refund float.',
          });
      found.push(...(await this.compareWithStored(float, agreed, block.number)));
    }
    return found;
  }

  /** Null if the network has only one endpoint or `floats` is empty. */
  private async readFromSecondEndpoint(
    floats: readonly FloatWithAddress[],
    network: string,
    block: BlockHeader,
  ): Promise<readonly FloatBalances[] | null> {
    const { secondEndpoint } = this.chains.of(network);
    if (floats.length === 0 || secondEndpoint.isOnlyEndpoint()) return null;
    if (!secondEndpoint.isIndependent())
      throw new ChainUnavailable(network, 'no second endpoint confirms the balances of the floats.');
    // A lagging endpoint cannot know the balances of this block. Querying it would count as a failure of the endpoint.
    const there = await secondEndpoint.blockHeader(block.number);
    if (there?.hash !== block.hash)
      throw new ChainUnavailable(
        network,
        `the second endpoint has a different block ${block.number}, or does not have this block.`,
      );
    return this.readBalances(secondEndpoint, floats, network, block);
  }

  private async readBalances(
    answers: ChainQueries,
    floats: readonly FloatWithAddress[],
    network: string,
    { hash }: BlockHeader,
  ): Promise<readonly FloatBalances[]> {
    const addresses = floats.map(({ address }) => address);
    const tokens = this.assetsOf(network).filter((asset) => !isNative(asset));
    const held = await Promise.all([
      answers.balances(hash, addresses).then((all) => [NATIVE_HOLDING_KEY, all] as const),
      ...tokens.map(async ({ token }) => {
        return [token, await answers.tokenBalances(hash, token, addresses)] as const;
      }),
    ]);
    return floats.map((_, i) => new Map(held.map(([holding, all]) => [holding, all[i] ?? null])));
  }

  private async compareWithStored(
    float: FloatWithAddress,
    balances: ReadonlyMap<string, bigint>,
    blockNumber: number,
  ): Promise<FloatShortfall[]> {
    return this.unitOfWork.run(async () => {
      const known = await this.floats.lock(float.id);
      const { left, underWay } = await this.floats.leftBy(float.id, blockNumber);
      const missing: FloatShortfall[] = [];
      for (const [holding, balance] of balances) {
        const before = known.get(holding) ?? emptyHolding(holding);
        const minimum = this.minimumOf(float.network, holding);
        const found = evaluateFloatBalance(before, balance, left.get(holding) ?? 0n, underWay, minimum);
        const isSame = found.balance === before.balance && found.missing === before.missing;
        if (found.toppedUp === 0n && (isSame || (found.balance === 0n && before.toppedUp === 0n))) continue;
        const current: FloatBalance = { float, holding, balance: found.balance, blockNumber };
        const topUp = found.toppedUp === 0n ? null : await this.draftTopUp(current, found.toppedUp);
        await this.floats.storeBalance(current, found, topUp);
        this.expectBalanceChange(float.network);
        if (found.missing !== null && found.missing > before.missing)
          missing.push({ float, holding, amount: found.missing });
      }
      return missing;
    });
  }

  private async draftTopUp({ float, holding }: FloatBalance, amount: bigint): Promise<TopUpToStore> {
    const id = newId<string>();
    const asset = this.assetOf(float.network, holding);
    if (asset === undefined) return { id, uniqueAssetId: null, event: null };
    const { uniqueAssetId, symbol, decimals } = asset;
    return {
      id,
      uniqueAssetId,
      event: {
        type: 'refund_float.topped_up',
        aggregateId: id,
        organizationId: float.organizationId,
        accountId: float.accountId,
        occurredAt: await this.clock.now(),
        data: {
          network: float.network,
          uniqueAssetId,
          currency: symbol,
          decimals,
          amount: amount.toString(),
          to: float.address,
          from: UNKNOWN_SENDER_ADDRESS,
        },
      },
    };
  }

  private assetOf(network: string, holding: string): Asset | undefined {
    return this.assetsOf(network).find((each) => holdingKeyOf(each) === holding);
  }

  private minimumOf(network: string, holding: string): bigint {
    return this.assetOf(network, holding)?.minimumAmount ?? 1n;
  }

  private assetsOf(network: string): Asset[] {
    return this.catalogue.assets().filter((asset) => asset.network === network);
  }
}

/** @param seconds balances from a second endpoint; null if the network has only one endpoint */
function isConfirmed(
  seconds: readonly FloatBalances[] | null,
  index: number,
  holding: string,
  balance: bigint,
): boolean {
  return seconds === null || seconds[index]!.get(holding) === balance;
}

function hasDifference(
  known: ReadonlyMap<string, FloatHolding> | undefined,
  balances: ReadonlyMap<string, bigint>,
  minimumOf: (holding: string) => bigint,
): boolean {
  return [...balances].some(([holding, held]) => {
    const {
      toppedUp,
      refunded,
      withdrawn,
      gas,
      missing,
      balance: before,
    } = known?.get(holding) ?? emptyHolding(holding);
    const expected = toppedUp - refunded - withdrawn - gas;
    const isDust = held > expected && held - expected < minimumOf(holding);
    const balance = isDust ? expected : held;
    return balance !== expected || missing !== 0n || (before !== null && before !== balance);
  });
}
