import { answer, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import { CHECKOUT_WAYS, type CheckoutWay } from '../../contract/points-of-sale.js';
import type { CodeUrls } from '../../application/code-urls.js';
import type { PointOfSaleView } from '../../application/points-of-sale-records.js';
import { POINT_OF_SALE_TYPES, type PointOfSaleType } from '../../domain/point-of-sale.js';
import { presentTill, TillAnswer } from './till.dto.js';

export class MerchantAnswer {
  @Field()
  name!: string;

  @Field({ required: false })
  description?: string;

  @Field({ required: false })
  tax_id?: string;

  @Field({ required: false, format: 'uri' })
  image?: string;

  @Field({ required: false, description: 'Merchant category code (ISO 18245).' })
  mcc?: string;
}

export class PointOfSaleConfigAnswer {
  @Field()
  merchant!: MerchantAnswer;

  @Field({ type: [String], description: 'Unique asset ids that it takes.' })
  payment_options!: readonly string[];

  @Field({
    required: false,
    format: 'uri',
    description: 'Where the hosted checkout sends the payer at the end.',
  })
  return_url?: string;

  @Field({ required: false, type: [String], description: 'Sites that may frame the hosted checkout.' })
  frame_origins?: readonly string[];

  @Field({ enum: CHECKOUT_WAYS, enumName: 'CheckoutWay', description: 'Shown first by the hosted checkout.' })
  checkout_first!: CheckoutWay;

  @Field({ description: 'Payers may type the amount at `code_url`.' })
  open_amount!: boolean;

  @Field({ required: false, description: 'What the till offers.' })
  till?: TillAnswer;
}

export class PointOfSaleAnswer {
  @Uuid()
  id!: string;

  @Field()
  name!: string;

  @Field({ enum: POINT_OF_SALE_TYPES, enumName: 'PointOfSaleType' })
  type!: PointOfSaleType;

  @Uuid()
  organization_id!: string;

  @Field()
  organization_name!: string;

  @Uuid()
  account_id!: string;

  @Field()
  account_name!: string;

  @Field({
    required: false,
    description: 'Of a physical one: public, printed at the till, and it never changes. Case-sensitive.',
  })
  code?: string;

  @Field({
    required: false,
    format: 'uri',
    description: 'The content of the printed QR code: a page for browsers, and the payment for wallets.',
  })
  code_url?: string;

  @Field()
  config!: PointOfSaleConfigAnswer;

  @Time()
  created_at!: string;

  @Time()
  updated_at!: string;
}

export const POINT_OF_SALE_EXAMPLE: PointOfSaleAnswer = {
  id: '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90',
  name: 'Web shop',
  type: 'online',
  organization_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  organization_name: 'Example Shops',
  account_id: '0193b2f4-5f0f-7b2a-a13d-2c3d4e5f6071',
  account_name: 'Berlin',
  config: {
    merchant: { name: 'Example Shop', mcc: '5732' },
    payment_options: ['npolygon_t0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
    return_url: 'https://shop.example/return',
    checkout_first: 'address',
    open_amount: false,
  },
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
};

export function presentPointOfSale(point: PointOfSaleView, urls: CodeUrls): PointOfSaleAnswer {
  const { code, till } = point;
  return answer(PointOfSaleAnswer, point, {
    code_url: code === null ? undefined : urls.forCode(code),
    config: answer(PointOfSaleConfigAnswer, point, {
      merchant: answer(MerchantAnswer, point.merchant),
      frame_origins: point.frameOrigins.length === 0 ? undefined : point.frameOrigins,
      till: till === null ? undefined : presentTill(till),
    }),
  });
}
