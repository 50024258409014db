import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { type DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { OutboundTransactionSender } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { TransferRefused } from '#contexts/networks/contract/transfer-planning.js';
import { FloatPayouts } from '../../infrastructure/refunds/persistence/float-payouts.js';
import {
  availableAmountIn,
  emptyHolding,
  type FloatHolding,
  holdingKeyOf,
  shortfallAmounts,
  type RefundFloat,
} from '../../domain/refunds/refund-float.js';
import { RefundFloats } from '../../infrastructure/refunds/persistence/refund-floats.js';
import { refuseAboveFloatAllotment, refuseAboveDayLimit } from '../../domain/refunds/refund-limits.js';
import { RefundLimits } from '../../infrastructure/refunds/persistence/refund-limits.js';
import type { Refund, RefundedAsset } from '../../domain/refunds/refund.js';
import { Refunds } from '../../domain/refunds/refunds.js';
import { floatInsufficientError } from '../../domain/refunds/refund-refusals.js';
import { floatNetworkUnavailableError, refuseFloatWithHeldKey } from './floats/refuse-float-with-held-key.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface IntendedRefundPayout {
  readonly organizationId: OrganizationId;
  readonly asset: RefundedAsset;
  readonly amount: bigint;
  readonly to: string;
}

/** `gas` is the maximum cost, in units of the native coin. */
export interface PreparedRefundPayout {
  readonly float: RefundFloat & { readonly address: string };
  readonly gas: bigint;
}

@Injectable()
export class RefundApproval {
  constructor(
    private readonly chains: Chains,
    private readonly sender: OutboundTransactionSender,
    private readonly catalogue: NetworkCatalogue,
    private readonly floats: RefundFloats,
    private readonly payouts: FloatPayouts,
    private readonly limits: RefundLimits,
    private readonly refunds: Refunds,
  ) {}

  /**
   * Must not run in a unit of work, because it calls RPC endpoints.
   * @throws refund_float_insufficient, unavailable; state_conflict if the recipient rejects the transfer or the
   * float's key is held
   */
  async prepare({ organizationId, asset, amount, to }: IntendedRefundPayout): Promise<PreparedRefundPayout> {
    const float = await this.floats.findOrCreate(organizationId, asset.network);
    const lack = this.findShortfallError(float, asset, amount, 0n, await this.floats.holdings(float.id));
    if (lack !== null) throw lack;
    const { address } = float;
    if (address === null) throw floatInsufficientError(asset.network, null, formatWithSymbol(amount, asset));
    await refuseFloatWithHeldKey(this.sender, asset.network, organizationId, address);
    try {
      const { gasCost } = await this.chains
        .require(asset.network, 'transferPlanning')
        .plan(address, asset, to, amount);
      return { float: { ...float, address }, gas: gasCost };
    } catch (error) {
      if (error instanceof ChainUnavailable) throw floatNetworkUnavailableError(asset.network);
      if (!(error instanceof TransferRefused)) throw error;
      if (error.reason === 'balance')
        throw floatInsufficientError(
          asset.network,
          toDisplayAddress(address),
          formatWithSymbol(amount, asset),
        );
      throw stateConflict(`The transfer would fail: ${error.message} Use another address.`);
    }
  }

  /** Must run in the unit of work that stores the refund. @throws refund_float_insufficient, state_conflict */
  async grant(refund: Refund, { float, gas }: PreparedRefundPayout, by: string, now: Date): Promise<void> {
    const { id, organizationId, accountId, asset, amount, to } = refund.snapshot;
    const holdings = await this.floats.lockCurrent(float.id);
    const lack = this.findShortfallError(float, asset, amount, gas, holdings);
    if (lack !== null) throw lack;
    const limit = await this.limits.find(accountId, asset.uniqueAssetId);
    const since = new Date(now.getTime() - DAY_MS);
    const approved = await this.refunds.sumApprovedSince(accountId, asset.uniqueAssetId, since);
    refuseAboveDayLimit(limit, approved, amount, asset);
    const fromAllotment = await this.limits.takesFromAllotment(refund.snapshot);
    if (fromAllotment)
      refuseAboveFloatAllotment(
        await this.limits.lockAllotment(accountId, asset.uniqueAssetId),
        amount,
        asset,
      );
    refund.approve(by, float.address, now);
    await this.payouts.reserve({
      id,
      kind: 'refund',
      floatId: float.id,
      floatAddress: float.address,
      organizationId,
      accountId,
      asset,
      amount,
      to: to!,
      gasReserved: gas,
      orderedBy: by,
      fromAllotment,
    });
  }

  async availableFloatAmount(organizationId: OrganizationId, asset: RefundedAsset): Promise<bigint> {
    const { id } = await this.floats.findOrCreate(organizationId, asset.network);
    const holding = holdingKeyOf(asset);
    return availableAmountIn((await this.floats.holdings(id)).get(holding) ?? emptyHolding(holding));
  }

  async floatShortfall({ organizationId, asset, amount }: Omit<IntendedRefundPayout, 'to'>): Promise<bigint> {
    const free = await this.availableFloatAmount(organizationId, asset);
    return amount > free ? amount - free : 0n;
  }

  findShortfallError(
    float: RefundFloat,
    asset: RefundedAsset,
    amount: bigint,
    gas: bigint,
    holdings: ReadonlyMap<string, FloatHolding>,
  ): DomainError | null {
    const lacking = shortfallAmounts(holdings, holdingKeyOf(asset), amount, gas);
    if (lacking.size === 0) return null;
    const missing = [...lacking].map(([holding, units]) =>
      holding === holdingKeyOf(asset)
        ? formatWithSymbol(units, asset)
        : `${this.formatGas(asset.network, units)} for gas`,
    );
    const address = float.address === null ? null : toDisplayAddress(float.address);
    return floatInsufficientError(asset.network, address, missing.join(' and '));
  }

  private formatGas(network: string, units: bigint): string {
    const native = this.catalogue.network(network)?.nativeCoin;
    return native === undefined
      ? `${units} smallest units of the native coin`
      : formatWithSymbol(units, native);
  }
}

function formatWithSymbol(
  amount: bigint,
  { decimals, symbol }: Pick<RefundedAsset, 'decimals' | 'symbol'>,
): string {
  return `${formatAmount(amount, decimals)} ${symbol}`;
}
