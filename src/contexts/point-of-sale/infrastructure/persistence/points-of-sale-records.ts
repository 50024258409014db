import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import {
  type Page,
  type PageRequest,
  MAX_CHOICES,
  type ChoiceSearch,
  type Choices,
} from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { buildInsertSql } from '#shared/platform/database/insert.js';
import { OLDEST_FIRST } from '#shared/platform/database/list-order.js';
import type { PageRow } from '#shared/platform/database/rows.js';
import { namedParameterStatement } from '#shared/platform/database/sql-statements.js';
import { accountNotAllowedError } from '#contexts/identity/contract/account-scope-rule.js';
import { PointOfSaleDirectory, type NamedPointOfSale } from '../../contract/points-of-sale.js';
import type { PointOfSale } from '../../domain/point-of-sale.js';

export interface PointOfSaleView extends PointOfSale {
  readonly organizationName: string;
  readonly accountName: string;
}

/** `json` keeps the order of fields. */
export const MERCHANT_COLUMN = `json_strip_nulls(json_build_object('name', p.merchant_name, 'description', p.merchant_description,
  'taxId', p.merchant_tax_id, 'image', p.merchant_image, 'mcc', p.merchant_mcc)) AS merchant`;

/** $1 organization, $2 account or null. Omits deleted points of sale, and those of deleted accounts. */
const SELECT_VISIBLE = `
  SELECT p.id, p.organization_id, a.organization_name, p.account_id, a.name AS account_name, p.name, p.type, ${MERCHANT_COLUMN},
    p.payment_options, p.return_url, p.frame_origins, p.checkout_first, p.open_amount, p.till, p.code, p.created_at, p.updated_at
  FROM point_of_sale.points_of_sale p
  JOIN identity.public_accounts a ON a.organization_id = p.organization_id AND a.id = p.account_id
  WHERE p.organization_id = $1 AND ($2::uuid IS NULL OR p.account_id = $2) AND a.deleted_at IS NULL
    AND p.deleted_at IS NULL`;
const FIND_POINT_OF_SALE = `${SELECT_VISIBLE} AND p.id = $3`;

const SAVE_DESCRIPTION = namedParameterStatement<PointOfSaleColumns>(`
UPDATE point_of_sale.points_of_sale SET version = version + 1, name = $name, merchant_name = $merchantName,
  merchant_description = $merchantDescription, merchant_tax_id = $merchantTaxId, merchant_image = $merchantImage,
  merchant_mcc = $merchantMcc, payment_options = $paymentOptions, return_url = $returnUrl, frame_origins = $frameOrigins,
  checkout_first = $checkoutFirst, open_amount = $openAmount, till = $till, updated_at = $updatedAt
WHERE id = $id AND organization_id = $organizationId`);

@Injectable()
export class PointsOfSaleRecords extends PointOfSaleDirectory {
  constructor(private readonly database: Database) {
    super();
  }

  /** The unit of work also prevents a concurrent deletion of the account. @throws account_not_allowed */
  async add(point: PointOfSale): Promise<void> {
    const added = await this.database.queryInTransaction(
      ...buildInsertSql(
        'point_of_sale.points_of_sale',
        columnsOf(point),
        'WHERE identity.public_hold_account($organizationId, $accountId) RETURNING id',
      ),
    );
    if (added.length === 0) throw accountNotAllowedError();
  }

  /** @throws not_found, also for another tenant's point of sale or a deleted account */
  async find({ organizationId, accountId }: TenantScope, id: PointOfSaleId): Promise<PointOfSaleView> {
    const [row] = await this.database.query<PointOfSaleView>(FIND_POINT_OF_SALE, [
      organizationId,
      accountId,
      id,
    ]);
    if (row === undefined) throw notFound('point of sale');
    return row;
  }

  /** @throws not_found, as `find` does */
  async lockPointOfSaleRow(
    { organizationId, accountId }: TenantScope,
    id: PointOfSaleId,
  ): Promise<PointOfSale> {
    const [row] = await this.database.queryInTransaction<PointOfSale>(
      `${FIND_POINT_OF_SALE} FOR UPDATE OF p`,
      [organizationId, accountId, id],
    );
    if (row === undefined) throw notFound('point of sale');
    return row;
  }

  /** Waits for requests of the account that are being created, and delays new ones until the unit of work ends. */
  async excludeNewRequests({ accountId }: Pick<PointOfSale, 'accountId'>): Promise<void> {
    await this.database.queryInTransaction('SELECT identity.public_exclude_new_objects($1)', [accountId]);
  }

  /** Changes the version. The caller must have locked the point of sale. */
  async save(point: PointOfSale): Promise<void> {
    await this.database.queryInTransaction(...SAVE_DESCRIPTION(columnsOf(point)));
  }

  /** Changes the version, so that no process creates payment requests by a cached copy. */
  async delete(id: PointOfSaleId, at: Date): Promise<void> {
    await this.database.queryInTransaction(
      `UPDATE point_of_sale.points_of_sale SET version = version + 1, deleted_at = $2, updated_at = $2 WHERE id = $1`,
      [id, at],
    );
  }

  async list({ organizationId, accountId }: TenantScope, page: PageRequest): Promise<Page<PointOfSaleView>> {
    const rows = await this.database.queryReplica<PageRow<PointOfSaleView>>(
      `WITH visible AS NOT MATERIALIZED (${SELECT_VISIBLE})
       SELECT all_of_them.total, p.*
       FROM (SELECT count(*)::int AS total FROM visible) all_of_them
       LEFT JOIN (SELECT * FROM visible WHERE ${OLDEST_FIRST.pagingSql(3)}) p ON true
       ORDER BY p.id`,
      [organizationId, accountId, ...OLDEST_FIRST.parameters(page)],
    );
    return OLDEST_FIRST.page(rows, page, (pointOfSale) => pointOfSale);
  }

  async searchChoices(
    { organizationId, accountId }: TenantScope,
    { typed = '', type = null }: ChoiceSearch & { readonly type?: NamedPointOfSale['type'] | null },
  ): Promise<Choices<NamedPointOfSale>> {
    const rows = await this.database.query<NamedPointOfSale & { readonly total: number }>(
      `SELECT id, name, account_name, type, payment_options, count(*) OVER ()::int AS total
       FROM (SELECT *, bool_or(id::text = $4) OVER () AND count(*) OVER () <= ${MAX_CHOICES} AS of_a_short_list
         FROM (${SELECT_VISIBLE}) v WHERE $3::text IS NULL OR type = $3) p
       WHERE (of_a_short_list OR $4 = '' OR id::text = $4 OR position($4 IN lower(name)) > 0 OR position($4 IN lower(account_name)) > 0)
       ORDER BY name, id LIMIT ${MAX_CHOICES}`,
      [organizationId, accountId, type, typed.trim().toLowerCase()],
    );
    return { items: rows, total: rows[0]?.total ?? 0 };
  }

  async namesOf(
    organization: OrganizationId,
    ids: readonly PointOfSaleId[],
  ): Promise<ReadonlyMap<PointOfSaleId, string>> {
    const rows = await this.database.query<Pick<PointOfSale, 'id' | 'name'>>(
      'SELECT id, name FROM point_of_sale.points_of_sale WHERE organization_id = $1 AND id = ANY ($2::uuid[])',
      [organization, [...new Set(ids)]],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

type PointOfSaleColumns = ReturnType<typeof columnsOf>;

function columnsOf(point: PointOfSale) {
  const { id, organizationId, accountId, type, code, name, merchant, paymentOptions, returnUrl } = point;
  const { frameOrigins, checkoutFirst, openAmount, till, createdAt, updatedAt } = point;
  return {
    ...{ id, organizationId, accountId, type, code, name, paymentOptions, returnUrl },
    ...{ frameOrigins, checkoutFirst, openAmount, till, createdAt, updatedAt },
    merchantName: merchant.name,
    merchantDescription: merchant.description,
    merchantTaxId: merchant.taxId,
    merchantImage: merchant.image,
    merchantMcc: merchant.mcc,
  };
}
