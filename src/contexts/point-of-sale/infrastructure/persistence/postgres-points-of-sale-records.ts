import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../../../shared/kernel/page.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { Database } from '../../../../shared/platform/database/database.js';
import { PointsOfSaleRecords, type PointOfSaleView } from '../../application/points-of-sale-records.js';
import type { PointOfSale } from '../../domain/point-of-sale.js';
import { merchantFromRow, type PointOfSaleRow } from './point-of-sale-row.js';

type Row = PointOfSaleRow & { organization_name: string; account_name: string };

@Injectable()
export class PostgresPointsOfSaleRecords extends PointsOfSaleRecords {
  constructor(private readonly database: Database) {
    super();
  }

  async add(point: PointOfSale): Promise<void> {
    await this.database.write(
      `INSERT INTO point_of_sale.points_of_sale (id, organization_id, account_id, name, type, merchant_name,
         merchant_description, merchant_tax_id, merchant_image, merchant_mcc, payment_options, return_url,
         frame_origins, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      [
        point.id,
        point.organizationId,
        point.accountId,
        point.name,
        point.type,
        point.merchant.name,
        point.merchant.description ?? null,
        point.merchant.taxId ?? null,
        point.merchant.image ?? null,
        point.merchant.mcc ?? null,
        point.paymentOptions,
        point.returnUrl,
        point.frameOrigins,
        point.createdAt,
        point.updatedAt,
      ],
    );
  }

  async list(
    { organizationId, accountId }: Scope,
    { page, pageSize }: PageRequest,
  ): Promise<Page<PointOfSaleView>> {
    const rows = await this.database.query<{ total: number } & (Row | { id: null })>(
      `WITH visible AS NOT MATERIALIZED (
         SELECT * FROM point_of_sale.points_of_sale
         WHERE organization_id = $1 AND ($2::uuid IS NULL OR account_id = $2)
       )
       SELECT all_of_them.total, p.*, a.organization_name, a.name AS account_name
       FROM (SELECT count(*)::int AS total FROM visible) all_of_them
       LEFT JOIN (SELECT * FROM visible ORDER BY id LIMIT $3 OFFSET $4) p ON true
       LEFT JOIN identity.public_accounts a ON a.organization_id = $1 AND a.id = p.account_id
       ORDER BY p.id`,
      [organizationId, accountId, pageSize, (page - 1) * pageSize],
    );
    return {
      items: rows.filter((row) => row.id !== null).map((row) => fromRow(row as Row)),
      total: rows[0]?.total ?? 0,
    };
  }
}

function fromRow(row: Row): PointOfSaleView {
  return {
    id: row.id,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    accountId: row.account_id,
    accountName: row.account_name,
    name: row.name,
    type: row.type,
    merchant: merchantFromRow(row),
    paymentOptions: row.payment_options,
    returnUrl: row.return_url,
    frameOrigins: row.frame_origins,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
