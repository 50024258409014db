import { ApiProperty } from '@nestjs/swagger';
import type { Order } from '#contexts/payments/domain/requests/order.js';

export class OrderMerchantDto {
  @ApiProperty({ example: 'Corner Coffee' })
  name!: string;

  @ApiProperty({ required: false, example: 'Coffee and cake' })
  description?: string;

  @ApiProperty({ required: false, example: 'DE123456789' })
  tax_id?: string;

  @ApiProperty({ required: false, format: 'uri', description: 'URL of a logo.' })
  image?: string;

  @ApiProperty({ required: false, description: 'Merchant category code (ISO 18245).', example: '5814' })
  mcc?: string;
}

export class OrderItemDto {
  @ApiProperty({ example: 'Flat white' })
  description!: string;

  @ApiProperty({ description: 'Price of all units together.', example: '8.00' })
  amount!: string;

  @ApiProperty({ example: 'EUR' })
  coin_code!: string;

  @ApiProperty({ required: false, example: '4.00' })
  unit_price?: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 2 ** 31 - 1,
    description: '1 where none was given.',
    example: 2,
  })
  quantity!: number;
}

/** The order that is being paid for, as receipts and wallets show it. */
export class OrderDto {
  @ApiProperty({ example: '12.50' })
  total!: string;

  @ApiProperty({ example: 'EUR' })
  coin_code!: string;

  @ApiProperty({ required: false, example: 'Table 7' })
  description?: string;

  @ApiProperty({ required: false, type: OrderMerchantDto })
  merchant?: OrderMerchantDto;

  @ApiProperty({ required: false, type: [OrderItemDto] })
  items?: OrderItemDto[];
}

export function presentOrder(order: Order): OrderDto {
  const { items, merchant, ...rest } = order;
  return {
    ...rest,
    ...(merchant && { merchant: { ...merchant } }),
    ...(items && { items: [...items] }),
  };
}
