import type { AccountId, OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Merchant } from '../../contract/points-of-sale.js';
import type { PointOfSaleType } from '../../domain/point-of-sale.js';

export interface MerchantRow {
  merchantName: string;
  merchantDescription: string | null;
  merchantTaxId: string | null;
  merchantImage: string | null;
  merchantMcc: string | null;
}

export interface PointOfSaleRow extends MerchantRow {
  id: PointOfSaleId;
  organizationId: OrganizationId;
  accountId: AccountId;
  name: string;
  type: PointOfSaleType;
  paymentOptions: string[];
  returnUrl: string | null;
  frameOrigins: string[];
  createdAt: Date;
  updatedAt: Date;
}

export function merchantFromRow(row: MerchantRow): Merchant {
  return {
    name: row.merchantName,
    ...(row.merchantDescription === null ? {} : { description: row.merchantDescription }),
    ...(row.merchantTaxId === null ? {} : { taxId: row.merchantTaxId }),
    ...(row.merchantImage === null ? {} : { image: row.merchantImage }),
    ...(row.merchantMcc === null ? {} : { mcc: row.merchantMcc }),
  };
}
