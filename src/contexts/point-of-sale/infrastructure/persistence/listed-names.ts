import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { PointsOfSaleRecords } from '../../application/points-of-sale-records.js';
import { NamedPointsOfSale, type NamedPointOfSale } from '../../contract/named-points-of-sale.js';

const MOST = 100;

@Injectable()
export class ListedNames extends NamedPointsOfSale {
  constructor(private readonly records: PointsOfSaleRecords) {
    super();
  }

  async list(scope: Scope): Promise<NamedPointOfSale[]> {
    const { items } = await this.records.list(scope, { page: 1, pageSize: MOST });
    return items.map(({ id, name, accountName }) => ({ id, name, accountName }));
  }
}
