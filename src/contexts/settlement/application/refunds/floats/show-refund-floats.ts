import { Injectable } from '@nestjs/common';
import { isNative, type Asset } from '#shared/kernel/asset.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { FloatPayoutView } from '#contexts/settlement/domain/refunds/float-payouts.js';
import { FloatPayouts } from '#contexts/settlement/infrastructure/refunds/persistence/float-payouts.js';
import {
  availableAmountIn,
  type FloatHolding,
  NATIVE_HOLDING_KEY,
  type RefundFloat,
} from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';
import type {
  RefundFloatAllotment,
  RefundLimitBasis,
} from '#contexts/settlement/domain/refunds/refund-limits.js';
import { RefundLimits } from '#contexts/settlement/infrastructure/refunds/persistence/refund-limits.js';

export interface FloatHoldingView extends FloatHolding {
  readonly available: bigint;
  readonly asset: Asset | undefined;
}

export interface RefundFloatView {
  readonly float: RefundFloat;
  readonly holdings: readonly FloatHoldingView[];
  readonly payouts: readonly FloatPayoutView[];
  readonly basis: RefundLimitBasis;
  readonly allotments: readonly (RefundFloatAllotment & { readonly asset: Asset })[];
}

const MAX_PAYOUTS_SHOWN = 20;

@Injectable()
export class ShowRefundFloats {
  constructor(
    private readonly floats: RefundFloats,
    private readonly payouts: FloatPayouts,
    private readonly catalogue: NetworkCatalogue,
    private readonly limits: RefundLimits,
  ) {}

  async show(organization: OrganizationId | null): Promise<RefundFloatView[]> {
    const shown: RefundFloatView[] = [];
    const floats = await this.floats.list(organization);
    const held = await this.floats.holdingsOfAll(floats.map(({ id }) => id));
    for (const float of floats) {
      const holdings = [...(held.get(float.id)?.values() ?? [])].map((each) => ({
        ...each,
        available: availableAmountIn(each),
        asset: this.assetOf(float.network, each.holding),
      }));
      const allotments = (await this.limits.allotments(float.organizationId)).flatMap((allotment) => {
        const asset = this.catalogue.asset(allotment.uniqueAssetId);
        return asset?.network === float.network ? [{ ...allotment, asset }] : [];
      });
      shown.push({
        float,
        holdings,
        allotments,
        basis: await this.limits.basis(float.organizationId),
        payouts: await this.payouts.list(float.id, MAX_PAYOUTS_SHOWN),
      });
    }
    return shown;
  }

  private assetOf(network: string, holding: string): Asset | undefined {
    const assets = this.catalogue.assets().filter((asset) => asset.network === network);
    return assets.find((asset) =>
      holding === NATIVE_HOLDING_KEY ? isNative(asset) : asset.token === holding,
    );
  }
}
