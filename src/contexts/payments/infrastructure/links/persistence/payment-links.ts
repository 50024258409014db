import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { NEWEST_FIRST } from '#shared/platform/database/list-order.js';
import { type PageRow, type RowOf, withoutNulls } from '#shared/platform/database/rows.js';
import {
  LINK_CODE_PATTERN,
  linkNotFoundError,
  type PaymentLink,
  type LinkFilter,
} from '#contexts/payments/domain/links/payment-link.js';

/** Never issued. Queried instead of a malformed link code, so that it takes as long as an unknown code. */
const UNUSED_LINK_CODE = 'A'.repeat(22);

const LINK_COLUMNS = `id, organization_id, account_id, point_of_sale_id, code, amount, coin_code, "order", return_url, active,
  created_at`;

const FIND_LINK = `SELECT ${LINK_COLUMNS} FROM payments.payment_links
  WHERE id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR account_id = $3)`;

type Row = RowOf<PaymentLink>;

@Injectable()
export class PaymentLinks {
  constructor(
    private readonly database: Database,
    private readonly cell: DeploymentCell,
  ) {}

  /** @throws not_found if the account was deleted concurrently */
  async add(link: PaymentLink): Promise<void> {
    const added = await this.database.query(
      `INSERT INTO payments.payment_links (id, organization_id, account_id, point_of_sale_id, code, amount, coin_code,
         "order", return_url, active, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 WHERE identity.public_hold_account($2, $3) RETURNING id`,
      [
        ...[link.id, link.organizationId, link.accountId, link.pointOfSaleId, link.code, link.amount],
        ...[link.coinCode, link.order === undefined ? null : JSON.stringify(link.order)],
        ...[link.returnUrl ?? null, link.active, link.createdAt],
      ],
    );
    if (added.length === 0) throw notFound('point of sale');
  }

  list(
    { organizationId, accountId }: TenantScope,
    pointOfSale: PointOfSaleId,
    page: PageRequest,
  ): Promise<Page<PaymentLink>> {
    return this.page(
      'point_of_sale_id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR account_id = $3)',
      [pointOfSale, organizationId, accountId],
      page,
    );
  }

  listAll(
    { organizationId, accountId }: TenantScope,
    { active }: LinkFilter,
    page: PageRequest,
  ): Promise<Page<PaymentLink>> {
    return this.page(
      'organization_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::boolean IS NULL OR active = $3)',
      [organizationId, accountId, active ?? null],
      page,
    );
  }

  async find({ organizationId, accountId }: TenantScope, id: PaymentLinkId): Promise<PaymentLink> {
    const [row] = await this.database.query<Row>(FIND_LINK, [id, organizationId, accountId]);
    if (row === undefined) throw notFound('payment link');
    return withoutNulls<PaymentLink>(row);
  }

  async lockLink({ organizationId, accountId }: TenantScope, id: PaymentLinkId): Promise<PaymentLink> {
    const [row] = await this.database.queryInTransaction<Row>(`${FIND_LINK} FOR UPDATE`, [
      id,
      organizationId,
      accountId,
    ]);
    if (row === undefined) throw notFound('payment link');
    return withoutNulls<PaymentLink>(row);
  }

  private async page(
    where: string,
    values: readonly unknown[],
    page: PageRequest,
  ): Promise<Page<PaymentLink>> {
    const rows = await this.database.queryReplica<PageRow<Row>>(
      `WITH visible AS NOT MATERIALIZED (
         SELECT ${LINK_COLUMNS} FROM payments.payment_links
         WHERE ${where}
       )
       SELECT all_of_them.total, l.*
       FROM (SELECT count(*)::int AS total FROM visible) all_of_them
       LEFT JOIN (SELECT * FROM visible WHERE ${NEWEST_FIRST.pagingSql(4)}) l ON true
       ORDER BY l.id DESC`,
      [...values, ...NEWEST_FIRST.parameters(page)],
    );
    return NEWEST_FIRST.page(rows, page, (row) => withoutNulls<PaymentLink>(row));
  }

  async setActive(
    { organizationId, accountId }: TenantScope,
    pointOfSale: PointOfSaleId,
    id: PaymentLinkId,
    active: boolean,
  ): Promise<PaymentLink> {
    const [row] = await this.database.query<Row>(
      `UPDATE payments.payment_links SET active = $5
       WHERE id = $1 AND point_of_sale_id = $2 AND organization_id = $3 AND ($4::uuid IS NULL OR account_id = $4)
         AND identity.public_hold_account(organization_id, account_id)
       RETURNING ${LINK_COLUMNS}`,
      [id, pointOfSale, organizationId, accountId, active],
    );
    if (row === undefined) throw notFound('payment link');
    return withoutNulls<PaymentLink>(row);
  }

  /** A malformed code takes as long as an unknown code. @throws not_found, also for an inactive link */
  async findActive(code: string): Promise<PaymentLink> {
    if (this.cell.isCodeOfOtherCell(code)) throw linkNotFoundError();
    const [row] = await this.database.query<Row>(
      `SELECT ${LINK_COLUMNS} FROM payments.payment_links WHERE code = $1 AND active`,
      [LINK_CODE_PATTERN.test(code) ? code : UNUSED_LINK_CODE],
    );
    if (row === undefined) throw linkNotFoundError();
    return withoutNulls<PaymentLink>(row);
  }
}
