import { Injectable } from '@nestjs/common';
import { parseAmount } from '#shared/kernel/amount.js';
import { isNative } from '#shared/kernel/asset.js';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError, invalidField, stateConflict } from '#shared/kernel/domain-error.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { requireText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { OrganizationSettlementTerms } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { NewFloatPayout } from '#contexts/settlement/domain/refunds/float-payouts.js';
import { FloatPayouts } from '#contexts/settlement/infrastructure/refunds/persistence/float-payouts.js';
import {
  availableAmountIn,
  emptyHolding,
  holdingKeyOf,
} from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';
import type { RefundedAsset } from '#contexts/settlement/domain/refunds/refund.js';
import { withdrawalEvent } from './end-float-payout.js';
import { RefundApproval } from '../refund-approval.js';

export interface WithdrawRefundFloatInput {
  readonly organizationId: OrganizationId;
  readonly network: string;
  readonly uniqueAssetId: string;
  /** Decimal string in whole units, or `all` for the unreserved amount minus gas. */
  readonly amount: string;
  readonly actor: string;
}

/** Pays only to the organization's settlement address on the same network. */
@Injectable()
export class WithdrawRefundFloat {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly terms: OrganizationSettlementTerms,
    private readonly floats: RefundFloats,
    private readonly approval: RefundApproval,
    private readonly payouts: FloatPayouts,
    private readonly auditLog: AuditLog,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async withdraw(input: WithdrawRefundFloatInput): Promise<NewFloatPayout> {
    const { organizationId, network } = input;
    const asset = this.catalogue.asset(input.uniqueAssetId);
    if (asset?.network !== network)
      throw invalidField('asset', 'asset', 'must be the unique_asset_id of an asset on this network.');
    const to = await this.settlementAddress(organizationId, network);
    const free = await this.availableAmountOf(organizationId, asset);
    const amount = input.amount === 'all' ? free : readAmount(input.amount, asset.decimals);
    if (amount === 0n)
      throw stateConflict(
        'Nothing can be withdrawn: the float is empty, or its balance is reserved for refunds.',
      );
    // With the full native balance, nothing would remain for gas. A transfer of one unit costs the same gas.
    const simulated = input.amount === 'all' && isNative(asset) ? 1n : amount;
    const { float, gas } = await this.approval.prepare({ organizationId, asset, amount: simulated, to });
    const paid = simulated === amount ? amount : amount - gas;
    if (paid <= 0n) throw stateConflict('The available amount does not cover the gas of a withdrawal.');
    const { accountId, address: floatAddress, id: floatId } = float;
    const payout: NewFloatPayout = {
      id: newId(),
      kind: 'withdrawal',
      floatId,
      floatAddress,
      organizationId,
      accountId,
      asset: toRefundedAsset(asset),
      amount: paid,
      to,
      gasReserved: gas,
      orderedBy: requireText('actor', input.actor, 200),
      fromAllotment: false,
    };
    return this.unitOfWork.run(async () => {
      const lack = this.approval.findShortfallError(
        float,
        asset,
        paid,
        gas,
        await this.floats.lockCurrent(floatId),
      );
      if (lack !== null) throw lack;
      const now = await this.clock.now();
      const begun = withdrawalEvent(payout, { status: 'processing', transactionHash: null }, {}, now);
      await this.payouts.reserve(payout, [begun]);
      await this.audit(payout, now);
      return payout;
    });
  }

  private async settlementAddress(organization: OrganizationId, network: string): Promise<string> {
    const address = await this.terms.settlementAddress(organization, network);
    if (address !== null) return canonicalAddress(address);
    throw new DomainError(
      'conflict',
      'settlement_address_missing',
      `No organization-level settlement address is set on ${network}. Set one with settlement-terms set.`,
    );
  }

  private async availableAmountOf(organization: OrganizationId, asset: RefundedAsset): Promise<bigint> {
    const float = await this.floats.findOrCreate(organization, asset.network);
    const holdings = await this.floats.holdings(float.id);
    return availableAmountIn(holdings.get(holdingKeyOf(asset)) ?? emptyHolding(holdingKeyOf(asset)));
  }

  private audit(
    { id, organizationId, asset, amount, to, floatAddress, orderedBy }: NewFloatPayout,
    at: Date,
  ): Promise<void> {
    return this.auditLog.record({
      actor: orderedBy,
      action: 'refund_float.withdrawn',
      organizationId,
      subjectId: id,
      before: null,
      at,
      after: {
        network: asset.network,
        unique_asset_id: asset.uniqueAssetId,
        amount: amount.toString(),
        from: floatAddress,
        to,
      },
    });
  }
}

function toRefundedAsset({ network, token, uniqueAssetId, symbol, decimals }: RefundedAsset): RefundedAsset {
  return { network, token, uniqueAssetId, symbol, decimals };
}

function readAmount(text: string, decimals: number): bigint {
  const amount = parseAmount(text, decimals);
  if (typeof amount === 'bigint') return amount;
  throw invalidField(
    'amount',
    'decimal_amount',
    `must be "all", or a decimal number above zero with at most ${decimals} decimals.`,
  );
}
