import { Injectable } from '@nestjs/common';
import {
  PointOfSaleOpenItems,
  type OpenItemCounts,
} from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';

const COUNT_OPEN_ITEMS = `SELECT
  (SELECT count(*)::integer FROM payments.public_open_requests WHERE point_of_sale_id = $1) AS requests,
  (SELECT count(*)::integer FROM payments.public_active_links WHERE point_of_sale_id = $1) AS links,
  (SELECT count(*)::integer FROM subscriptions.public_open_subscriptions WHERE point_of_sale_id = $1) AS subscriptions`;

@Injectable()
export class PostgresPointOfSaleOpenItems extends PointOfSaleOpenItems {
  constructor(private readonly database: Database) {
    super();
  }

  async countOpenItems(id: PointOfSaleId): Promise<OpenItemCounts> {
    const [counts] = await this.database.queryInTransaction<OpenItemCounts>(COUNT_OPEN_ITEMS, [id]);
    return counts!;
  }
}
