import { Injectable } from '@nestjs/common';
import { DeploymentCell, codeToLookUp } from '#shared/kernel/deployment-cell.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { type RowOf, withoutNulls } from '#shared/platform/database/rows.js';
import {
  type PaymentPointOfSale,
  PointsOfSale,
  type SettlementTerms,
} from '../../contract/points-of-sale.js';
import { MERCHANT_COLUMN } from './points-of-sale-records.js';
import { LRUCache } from 'lru-cache';

interface CachedPoint {
  readonly point: PaymentPointOfSale;
  readonly until: number;
}

/**
 * Writers detect an outdated copy by its version. It can also cause wrong refusals, so the maximum age bounds their
 * duration.
 */
export class PointOfSaleCache {
  private readonly kept: LRUCache<PointOfSaleId, CachedPoint>;

  /** @param now monotonic milliseconds */
  constructor(
    most = 10_000,
    private readonly maxAgeMs = 10_000,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.kept = new LRUCache({ max: most });
  }

  find(id: PointOfSaleId): PaymentPointOfSale | undefined {
    const kept = this.kept.get(id);
    return kept === undefined || this.now() >= kept.until ? undefined : kept.point;
  }

  store(point: PaymentPointOfSale): void {
    this.kept.set(point.id, { point, until: this.now() + this.maxAgeMs });
  }

  forget(id: PointOfSaleId): void {
    this.kept.delete(id);
  }

  forgetAll(): void {
    this.kept.clear();
  }
}

type CollectingPointColumns = Omit<PaymentPointOfSale, 'terms'>;

type CollectingPointRow = RowOf<CollectingPointColumns> & {
  readonly terms: readonly SettlementTerms[];
};

/** In one snapshot. An account's own terms take precedence. */
const FIND_COLLECTING_POINT = `
SELECT p.id, p.organization_id, p.account_id, p.type, ${MERCHANT_COLUMN}, p.payment_options, p.return_url, p.frame_origins,
  p.checkout_first, p.open_amount, p.till ->> 'coinCode' AS till_coin, v.version, v.underpayment_tolerance, (
  SELECT coalesce(json_agg(json_build_object('id', id, 'network', network, 'settlementAddress', settlement_address,
    'feeRecipient', fee_recipient, 'feeBasisPoints', fee_basis_points)), '[]') FROM (
    SELECT DISTINCT ON (network) id, network, settlement_address, fee_recipient, fee_basis_points
    FROM point_of_sale.settlement_terms
    WHERE organization_id = p.organization_id AND (account_id = p.account_id OR account_id IS NULL)
    ORDER BY network, account_id NULLS LAST, number DESC
  ) t
) AS terms
FROM point_of_sale.points_of_sale p
JOIN point_of_sale.public_point_of_sale_versions v ON v.id = p.id
WHERE p.id = $1 AND p.organization_id = $2 AND ($3::uuid IS NULL OR p.account_id = $3) AND p.deleted_at IS NULL
  AND NOT EXISTS (SELECT FROM identity.public_accounts a WHERE a.id = p.account_id AND a.deleted_at IS NOT NULL)`;

interface ScopeOfCode {
  readonly id: PointOfSaleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

const FIND_BY_CODE = `
SELECT p.id, p.organization_id, p.account_id FROM point_of_sale.points_of_sale p
JOIN identity.public_accounts a ON a.id = p.account_id AND a.deleted_at IS NULL
WHERE p.code = $1 AND p.type = 'physical'`;

@Injectable()
export class PostgresPointsOfSale extends PointsOfSale {
  private readonly memory = new PointOfSaleCache();

  constructor(
    private readonly database: Database,
    private readonly catalogue: NetworkCatalogue,
    private readonly cell: DeploymentCell,
  ) {
    super();
    database.identity.onAnotherTimeline(() => this.memory.forgetAll());
  }

  /** Only within the scope, so that another tenant's point of sale takes as long as a missing one. */
  async find(scope: TenantScope, id: PointOfSaleId): Promise<PaymentPointOfSale> {
    const known = this.memory.find(id);
    if (known !== undefined && isInScope(scope, known)) return known;
    const [row] = await this.database.query<CollectingPointRow>(FIND_COLLECTING_POINT, [
      id,
      scope.organizationId,
      scope.accountId,
    ]);
    if (row === undefined) throw notFound('point of sale');
    const { terms, ...columns } = row;
    const point: PaymentPointOfSale = {
      ...withoutNulls<CollectingPointColumns>(columns),
      terms: new Map(terms.map((each) => [each.network, each])),
    };
    if (this.isComplete(point)) this.memory.store(point);
    else this.memory.forget(id);
    return point;
  }

  async findByCode(code: string): Promise<PaymentPointOfSale> {
    const [row] = await this.database.query<ScopeOfCode>(FIND_BY_CODE, [codeToLookUp(code, this.cell)]);
    if (row === undefined) throw notFound('point of sale');
    return this.find(row, row.id);
  }

  forget(id: PointOfSaleId): void {
    this.memory.forget(id);
  }

  /** Callers refuse a copy without settlement terms without comparing versions, so it must not be cached. */
  private isComplete({ paymentOptions, terms }: PaymentPointOfSale): boolean {
    return paymentOptions.every((option) => {
      const asset = this.catalogue.asset(option);
      return asset !== undefined && terms.has(asset.network);
    });
  }
}

function isInScope({ organizationId, accountId }: TenantScope, point: PaymentPointOfSale): boolean {
  return point.organizationId === organizationId && (accountId === null || point.accountId === accountId);
}
