import {
  AnyText,
  Flag,
  HttpsUrl,
  MerchantCategoryCode,
  OneOf,
  Text,
} from '#shared/platform/http/validation/field-rules.js';
import { Nested } from '#shared/platform/http/validation/nested-fields.js';
import { TextList } from '#shared/platform/http/validation/text-list.js';
import { requiredPageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import { inCamelCase } from '#shared/kernel/camel-case.js';
import { CHECKOUT_WAYS, type CheckoutWay } from '../../contract/points-of-sale.js';
import {
  isSecureOrigin,
  MAX_FRAME_ORIGINS,
  MAX_MERCHANT_DESCRIPTION_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PAYMENT_OPTIONS,
  MAX_TAX_ID_LENGTH,
  POINT_OF_SALE_TYPES,
  type PointOfSaleType,
} from '../../domain/point-of-sale.js';
import type { DescribedPointOfSale } from '../../application/describe-point-of-sale.js';
import { TillBody } from './till.dto.js';

export class PointOfSaleQuery extends requiredPageQuery(1) {
  // What is no account of the organization is 403, whatever it looks like.
  @AnyText(
    { format: 'uuid' },
    { optional: true, description: 'Of one account alone; for organization-level keys.' },
  )
  account_id?: string;
}

export class MerchantBody {
  @Text({ max: MAX_NAME_LENGTH, example: 'Example Shop', description: 'As payers see the merchant.' })
  name!: string;

  @Text({ max: MAX_MERCHANT_DESCRIPTION_LENGTH, optional: true, example: 'Books and records' })
  description?: string;

  @Text({ max: MAX_TAX_ID_LENGTH, optional: true, example: 'DE123456789' })
  tax_id?: string;

  @HttpsUrl({ optional: true, description: 'URL of a logo.', example: 'https://shop.example/logo.png' })
  image?: string;

  @MerchantCategoryCode()
  mcc?: string;
}

export class PointOfSaleConfigBody {
  @Nested(() => MerchantBody)
  merchant!: MerchantBody;

  @TextList({
    maxItems: MAX_PAYMENT_OPTIONS,
    maxLength: 200,
    isOne: () => true,
    each: 'a unique asset id of `GET /v1/assets`',
    example: ['npolygon_t0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
    description: 'Unique asset ids that it takes, in any case.',
  })
  payment_options!: string[];

  @HttpsUrl({ optional: true, description: 'Where the hosted checkout sends the payer at the end.' })
  return_url?: string;

  @TextList({
    optional: true,
    maxItems: MAX_FRAME_ORIGINS,
    maxLength: 2048,
    format: 'uri',
    isOne: isSecureOrigin,
    each: 'an origin without a path, such as https://shop.example',
    example: ['https://shop.example'],
    description: 'Sites that may frame the hosted checkout, and that it posts to; none unless given.',
  })
  frame_origins?: string[];

  @OneOf(CHECKOUT_WAYS, {
    optional: true,
    example: 'code',
    description:
      'Shown first by the hosted checkout: `address` for any wallet, as unless set, or the payment `code`.',
  })
  checkout_first?: CheckoutWay;

  @Flag({
    optional: true,
    description: 'Payers may type the amount at `code_url`; physical ones alone. False unless set.',
  })
  open_amount?: boolean;

  @Nested(() => TillBody, { optional: true, description: 'What the till offers; physical ones alone.' })
  till?: TillBody;
}

export class CreatePointOfSaleBody {
  @Text({ max: MAX_NAME_LENGTH, example: 'Counter', description: 'Your own name of it.' })
  name!: string;

  @OneOf(POINT_OF_SALE_TYPES, {
    example: 'physical',
    description: 'Online: any number of open requests. Physical: one at a time.',
  })
  type!: PointOfSaleType;

  // What the credential may not name is 403, whatever it looks like.
  @AnyText(
    { format: 'uuid' },
    {
      optional: true,
      example: '0193b2f4-5f0f-7b2a-a13d-2c3d4e5f6071',
      description:
        'Whose it is. Organization-level keys send it; an account-level key may name its own alone.',
    },
  )
  account_id?: string;

  @Nested(() => PointOfSaleConfigBody)
  config!: PointOfSaleConfigBody;
}

/** Everything that can change in a point of sale, and the type and account, which never do. */
export class ChangePointOfSaleBody {
  @Text({ max: MAX_NAME_LENGTH, example: 'Counter', description: 'Your own name of it.' })
  name!: string;

  @Nested(() => PointOfSaleConfigBody, { description: 'Replaced whole: what is left out is none any more.' })
  config!: PointOfSaleConfigBody;

  @OneOf(POINT_OF_SALE_TYPES, {
    optional: true,
    example: 'physical',
    description: 'As it is; it never changes.',
  })
  type?: PointOfSaleType;

  @AnyText({ format: 'uuid' }, { optional: true, description: 'As it is; it never changes.' })
  account_id?: string;
}

export function describedIn({ name, config }: ChangePointOfSaleBody): DescribedPointOfSale {
  const { till, ...others } = config;
  return {
    name,
    ...inCamelCase(others),
    merchant: inCamelCase(config.merchant),
    till: till ? inCamelCase(till) : undefined,
  };
}
