import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AnyText } from '../../../../shared/platform/http/validation/field-rules.js';
import { requiredPageQuery } from '../../../../shared/platform/http/answers/pagination.dto.js';
import type { PointOfSaleView } from '../../application/points-of-sale-records.js';
import type { Merchant } from '../../contract/points-of-sale.js';
import { POINT_OF_SALE_TYPES, type PointOfSaleType } from '../../domain/point-of-sale.js';

export class PointOfSaleQuery extends requiredPageQuery(1) {
  // What is no account of the organization is 403, whatever it looks like.
  @AnyText(
    { format: 'uuid' },
    { optional: true, description: 'Of one account alone; for organization-level keys.' },
  )
  account_id?: string;
}

export class MerchantAnswer {
  @ApiProperty()
  name!: string;

  @ApiPropertyOptional()
  description?: string;

  @ApiPropertyOptional()
  tax_id?: string;

  @ApiPropertyOptional({ format: 'uri' })
  image?: string;

  @ApiPropertyOptional({ description: 'Merchant category code (ISO 18245).' })
  mcc?: string;
}

export class PointOfSaleConfigAnswer {
  @ApiProperty({ type: MerchantAnswer })
  merchant!: MerchantAnswer;

  @ApiProperty({ type: [String], description: 'Unique asset ids that it takes.' })
  payment_options!: string[];

  @ApiPropertyOptional({
    format: 'uri',
    description: 'Where the hosted checkout sends the payer at the end.',
  })
  return_url?: string;

  @ApiPropertyOptional({ type: [String], description: 'Sites that may frame the hosted checkout.' })
  frame_origins?: string[];
}

export class PointOfSaleAnswer {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: POINT_OF_SALE_TYPES, enumName: 'PointOfSaleType' })
  type!: PointOfSaleType;

  @ApiProperty({ format: 'uuid' })
  organization_id!: string;

  @ApiProperty()
  organization_name!: string;

  @ApiProperty({ format: 'uuid' })
  account_id!: string;

  @ApiProperty()
  account_name!: string;

  @ApiProperty({ type: PointOfSaleConfigAnswer })
  config!: PointOfSaleConfigAnswer;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: string;
}

export function presentPointOfSale(point: PointOfSaleView): PointOfSaleAnswer {
  return {
    id: point.id,
    name: point.name,
    type: point.type,
    organization_id: point.organizationId,
    organization_name: point.organizationName,
    account_id: point.accountId,
    account_name: point.accountName,
    config: {
      merchant: presentMerchant(point.merchant),
      payment_options: [...point.paymentOptions],
      ...(point.returnUrl === null ? {} : { return_url: point.returnUrl }),
      ...(point.frameOrigins.length === 0 ? {} : { frame_origins: [...point.frameOrigins] }),
    },
    created_at: point.createdAt.toISOString(),
    updated_at: point.updatedAt.toISOString(),
  };
}

function presentMerchant({ name, description, taxId, image, mcc }: Merchant): MerchantAnswer {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(taxId === undefined ? {} : { tax_id: taxId }),
    ...(image === undefined ? {} : { image }),
    ...(mcc === undefined ? {} : { mcc }),
  };
}
