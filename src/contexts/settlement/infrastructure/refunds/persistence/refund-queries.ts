import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { NEWEST_FIRST } from '#shared/platform/database/list-order.js';
import type { PageRow } from '#shared/platform/database/rows.js';
import type { RefundSnapshot } from '#contexts/settlement/domain/refunds/refund.js';
import type { RefundFilter } from '#contexts/settlement/domain/refunds/refunds.js';
import { OWNED_REFUND, REFUND_COLUMNS, refundFromRow, type RefundRow } from './postgres-refunds.js';

@Injectable()
export class RefundQueries {
  constructor(private readonly database: Database) {}

  async find({ organizationId, accountId }: TenantScope, id: string): Promise<RefundSnapshot> {
    const [row] = await this.database.query<RefundRow>(
      `SELECT ${REFUND_COLUMNS} FROM settlement.refunds WHERE ${OWNED_REFUND}`,
      [id, organizationId, accountId],
    );
    if (row === undefined) throw notFound('refund');
    return refundFromRow(row);
  }

  async page(
    { organizationId, accountId }: TenantScope,
    { status, paymentRequestIds }: RefundFilter,
    page: PageRequest,
  ): Promise<Page<RefundSnapshot>> {
    const rows = await this.database.queryReplica<PageRow<RefundRow>>(
      `WITH visible AS NOT MATERIALIZED (
         SELECT ${REFUND_COLUMNS} FROM settlement.refunds
         WHERE organization_id = $1 AND ($2::uuid IS NULL OR account_id = $2)
           AND ($3::text IS NULL OR status = $3) AND ($4::uuid[] IS NULL OR payment_request_id = ANY($4))
       )
       SELECT all_of_them.total, r.*
       FROM (SELECT count(*)::int AS total FROM visible) all_of_them
       LEFT JOIN (SELECT * FROM visible WHERE ${NEWEST_FIRST.pagingSql(5)}) r ON true
       ORDER BY r.id DESC`,
      [
        organizationId,
        accountId,
        status ?? null,
        paymentRequestIds ?? null,
        ...NEWEST_FIRST.parameters(page),
      ],
    );
    return NEWEST_FIRST.page(rows, page, refundFromRow);
  }
}
