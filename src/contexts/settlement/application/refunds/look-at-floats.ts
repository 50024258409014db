import { Injectable } from '@nestjs/common';
import { isNative, type Asset } from '../../../../shared/kernel/asset.js';
import { Clock } from '../../../../shared/kernel/clock.js';
import { newId } from '../../../../shared/kernel/ids.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import { type BlockHeader, ChainReader, UNKNOWN_SENDER } from '../../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import { emptyHolding, holdingOf, lookedAt, NATIVE } from '../../domain/refunds/refund-float.js';
import {
  type FloatLook,
  type NotedTopUp,
  type OpenedFloat,
  RefundFloats,
} from '../../domain/refunds/refund-floats.js';

/** What left a float by no payout of the service. */
export interface MissingFromFloat {
  readonly float: OpenedFloat;
  readonly holding: string;
  readonly amount: bigint;
}

const FLOATS_AT_ONCE = 200;

/** Compares what floats hold at a final block with what is known of them, so that nobody has to report a top-up. */
@Injectable()
export class LookAtFloats {
  constructor(
    private readonly floats: RefundFloats,
    private readonly reader: ChainReader,
    private readonly catalogue: NetworkCatalogue,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @returns what newly turned out to be missing @throws ChainUnavailable */
  async execute(network: string): Promise<MissingFromFloat[]> {
    const missing: MissingFromFloat[] = [];
    let block: BlockHeader | null = null;
    for (let after: string | null = null; ;) {
      const floats: OpenedFloat[] = await this.floats.opened(network, after, FLOATS_AT_ONCE);
      if (floats.length === 0) return missing;
      block ??= await this.finalBlock(network);
      if (block === null) return missing;
      const balances = await this.balancesOf(floats, network, block);
      for (const [index, float] of floats.entries()) {
        const held = new Map([...balances].map(([holding, all]) => [holding, all[index] ?? 0n]));
        missing.push(...(await this.compare(float, held, block.number)));
      }
      after = floats.at(-1)!.id;
    }
  }

  private async finalBlock(network: string): Promise<BlockHeader | null> {
    const { finalNumber } = await this.reader.head(network);
    return finalNumber === null ? null : this.reader.block(network, finalNumber);
  }

  /** By holding, in the order of the floats. */
  private async balancesOf(
    floats: readonly OpenedFloat[],
    network: string,
    { hash }: BlockHeader,
  ): Promise<ReadonlyMap<string, readonly bigint[]>> {
    const addresses = floats.map(({ address }) => address);
    const tokens = this.assetsOf(network).filter((asset) => !isNative(asset));
    const of = await Promise.all(
      tokens.map(async ({ token }) => {
        return [token, await this.reader.tokenBalances(network, hash, token, addresses)] as const;
      }),
    );
    return new Map([[NATIVE, await this.reader.balances(network, hash, addresses)], ...of]);
  }

  private async compare(
    float: OpenedFloat,
    balances: ReadonlyMap<string, bigint>,
    blockNumber: number,
  ): Promise<MissingFromFloat[]> {
    if (!(await this.hasNews(float, balances))) return [];
    return this.unitOfWork.run(async () => {
      const known = await this.floats.lock(float.id);
      const { left, underWay } = await this.floats.leftBy(float.id, blockNumber);
      const missing: MissingFromFloat[] = [];
      for (const [holding, balance] of balances) {
        const before = known.get(holding) ?? emptyHolding(holding);
        const found = lookedAt(before, balance, left.get(holding) ?? 0n, underWay);
        const isSame = balance === before.balance && found.missing === before.missing;
        if (found.toppedUp === 0n && (isSame || (balance === 0n && before.toppedUp === 0n))) continue;
        const look: FloatLook = { float, holding, balance, blockNumber };
        const topUp = found.toppedUp === 0n ? null : await this.topUp(look, found.toppedUp);
        await this.floats.note(look, found, topUp);
        if (found.missing !== null && found.missing > before.missing)
          missing.push({ float, holding, amount: found.missing });
      }
      return missing;
    });
  }

  /** Without a lock: what is as it was, and missing nothing, says nothing new. */
  private async hasNews(float: OpenedFloat, balances: ReadonlyMap<string, bigint>): Promise<boolean> {
    const known = await this.floats.holdings(float.id);
    return [...balances].some(([holding, balance]) => {
      const {
        toppedUp,
        refunded,
        withdrawn,
        gas,
        missing,
        balance: before,
      } = known.get(holding) ?? emptyHolding(holding);
      const expected = toppedUp - refunded - withdrawn - gas;
      return balance !== expected || missing !== 0n || (before !== null && before !== balance);
    });
  }

  private async topUp({ float, holding }: FloatLook, amount: bigint): Promise<NotedTopUp> {
    const id = newId<string>();
    const asset = this.assetsOf(float.network).find((each) => holdingOf(each) === holding);
    if (asset === undefined) return { id, uniqueAssetId: null, event: null };
    const { uniqueAssetId, symbol, decimals } = asset;
    return {
      ...{ id, uniqueAssetId },
      event: {
        type: 'refund_float.topped_up',
        aggregateId: id,
        ...{ organizationId: float.organizationId, accountId: float.accountId },
        occurredAt: await this.clock.now(),
        data: {
          ...{ network: float.network, uniqueAssetId, currency: symbol, decimals, amount: amount.toString() },
          ...{ to: float.address, from: UNKNOWN_SENDER },
        },
      },
    };
  }

  private assetsOf(network: string): Asset[] {
    return this.catalogue.assets().filter((asset) => asset.network === network);
  }
}
