import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { ShownFloat } from '#contexts/settlement/application/refunds/floats/show-refund-floats.js';
import type { RefundLimit } from '#contexts/settlement/domain/refunds/refund-limits.js';
import { formatAmount } from '#shared/kernel/amount.js';

export function presentFloat({ float, holdings, payouts, basis, allotments }: ShownFloat) {
  return {
    organization_id: float.organizationId,
    network: float.network,
    address: float.address === null ? null : addressForPeople(float.address),
    replaced_at: float.replacedAt?.toISOString() ?? null,
    refund_basis: basis,
    allotments: allotments.map(presentAllotment),
    holdings: holdings.map((holding) => {
      // Of what is not catalogued, smallest units.
      const shown = (units: bigint) => formatAmount(units, holding.asset?.decimals ?? 0);
      return {
        currency: holding.asset?.symbol ?? holding.holding,
        available: shown(holding.available),
        reserved: shown(holding.reserved),
        topped_up: shown(holding.toppedUp),
        refunded: shown(holding.refunded),
        withdrawn: shown(holding.withdrawn),
        gas: shown(holding.gas),
        missing: shown(holding.missing),
        balance: holding.balance === null ? null : shown(holding.balance),
        block: holding.blockNumber,
      };
    }),
    payouts: payouts.map((payout) => ({
      id: payout.id,
      kind: payout.kind,
      status: payout.status,
      currency: payout.currency,
      amount: formatAmount(payout.amount, payout.decimals),
      to: addressForPeople(payout.to),
      held: payout.held,
      failure: payout.failure,
      transaction_hash: payout.transactionHash,
      ordered_by: payout.orderedBy,
      created_at: payout.createdAt.toISOString(),
    })),
  };
}

export function presentAllotment({ accountId, asset, allotted, used }: ShownFloat['allotments'][number]) {
  return {
    account_id: accountId,
    currency: asset.symbol,
    allotted: formatAmount(allotted, asset.decimals),
    used: formatAmount(used, asset.decimals),
    left: formatAmount(allotted - used, asset.decimals),
  };
}

export function presentLimit(limit: RefundLimit, catalogue: NetworkCatalogue) {
  const decimals = catalogue.asset(limit.uniqueAssetId)?.decimals ?? 0;
  return {
    account_id: limit.accountId,
    unique_asset_id: limit.uniqueAssetId,
    per_day: limit.perDay === null ? null : formatAmount(limit.perDay, decimals),
    automatic_below: formatAmount(limit.automaticBelow, decimals),
    set_by: limit.setBy,
    updated_at: limit.updatedAt.toISOString(),
  };
}
