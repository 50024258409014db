import type { AccountId, OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Merchant } from '../../contract/points-of-sale.js';
import type { PointOfSaleType } from '../../domain/point-of-sale.js';

export interface MerchantRow {
  merchant_name: string;
  merchant_description: string | null;
  merchant_tax_id: string | null;
  merchant_image: string | null;
  merchant_mcc: string | null;
}

export interface PointOfSaleRow extends MerchantRow {
  id: PointOfSaleId;
  organization_id: OrganizationId;
  account_id: AccountId;
  name: string;
  type: PointOfSaleType;
  payment_options: string[];
  return_url: string | null;
  frame_origins: string[];
  created_at: Date;
  updated_at: Date;
}

export function merchantFromRow(row: MerchantRow): Merchant {
  return {
    name: row.merchant_name,
    ...(row.merchant_description === null ? {} : { description: row.merchant_description }),
    ...(row.merchant_tax_id === null ? {} : { taxId: row.merchant_tax_id }),
    ...(row.merchant_image === null ? {} : { image: row.merchant_image }),
    ...(row.merchant_mcc === null ? {} : { mcc: row.merchant_mcc }),
  };
}
