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
import { inCamelCase } from '#shared/kernel/text.js';
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
  // Any text is accepted here: every value other than an account of the organization gets a 403 response.
  @AnyText(
    { format: 'uuid' },
    {
      optional: true,
      description:
        'Only points of sale of this account. Only organization-level keys can send this parameter.',
    },
  )
  account_id?: string;
}

export class MerchantBody {
  @Text({
    max: MAX_NAME_LENGTH,
    example: 'Example Shop',
    description: 'Name of the merchant, as shown to payers.',
  })
  name!: string;

  @Text({
    max: MAX_MERCHANT_DESCRIPTION_LENGTH,
    optional: true,
    description: 'Description of the merchant.',
    example: 'Books and records',
  })
  description?: string;

  @Text({
    max: MAX_TAX_ID_LENGTH,
    optional: true,
    description: 'Tax id of the merchant.',
    example: 'DE123456789',
  })
  tax_id?: string;

  @HttpsUrl({
    optional: true,
    description: 'HTTPS URL of the merchant’s logo.',
    example: 'https://shop.example/logo.png',
  })
  image?: string;

  @MerchantCategoryCode()
  mcc?: string;
}

const CONFIG_DESCRIPTION =
  'Configuration of the point of sale. An update replaces the whole configuration: omitted fields return to ' +
  'their defaults.';

export class PointOfSaleConfigBody {
  @Nested(() => MerchantBody, { description: 'Merchant to show to payers.' })
  merchant!: MerchantBody;

  @TextList({
    maxItems: MAX_PAYMENT_OPTIONS,
    maxLength: 200,
    isOne: () => true,
    each: 'a unique asset id of `GET /v1/assets`',
    example: ['npolygon_t0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
    description:
      'Unique ids of the assets that payers can pay with, from `GET /v1/assets`. Case-insensitive.',
  })
  payment_options!: string[];

  @HttpsUrl({
    optional: true,
    description:
      'HTTPS URL to which the hosted checkout sends the payer when the session ends. Default: none.',
  })
  return_url?: string;

  @TextList({
    optional: true,
    maxItems: MAX_FRAME_ORIGINS,
    maxLength: 2048,
    format: 'uri',
    isOne: isSecureOrigin,
    each: 'an origin without a path, such as https://shop.example',
    example: ['https://shop.example'],
    description:
      'Origins that can embed the hosted checkout in a frame and receive its messages. Default: none.',
  })
  frame_origins?: string[];

  @OneOf(CHECKOUT_WAYS, {
    optional: true,
    example: 'code',
    description:
      'First view of the hosted checkout. `address`: address and amount, for any wallet. `code`: the payment code, for ' +
      'wallets that support payment tokens. Default: `address`.',
  })
  checkout_first?: CheckoutWay;

  @Flag({
    optional: true,
    description:
      'Whether payers can open `code_url` and enter an amount. Physical points of sale only. Default: false.',
  })
  open_amount?: boolean;

  @Nested(() => TillBody, {
    optional: true,
    description: 'Settings of the till. Physical points of sale only.',
  })
  till?: TillBody;
}

export class CreatePointOfSaleBody {
  @Text({ max: MAX_NAME_LENGTH, example: 'Counter', description: 'Your own name for the point of sale.' })
  name!: string;

  @OneOf(POINT_OF_SALE_TYPES, {
    example: 'physical',
    description:
      'Type of the point of sale. `online`: any number of payment requests can be open. `physical`: only one ' +
      'payment request can be open at a time. Cannot be changed later.',
  })
  type!: PointOfSaleType;

  // Any text is accepted here: every account that the credential may not name gets a 403 response.
  @AnyText(
    { format: 'uuid' },
    {
      optional: true,
      example: '0193b2f4-5f0f-7b2a-a13d-2c3d4e5f6071',
      description:
        'Id of the account that the point of sale belongs to. Required for organization-level keys. ' +
        'Account-level keys can omit it or send the id of their account. Cannot be changed later.',
    },
  )
  account_id?: string;

  @Nested(() => PointOfSaleConfigBody, { description: CONFIG_DESCRIPTION })
  config!: PointOfSaleConfigBody;
}

/** The mutable fields of a point of sale, plus the immutable type and account. */
export class ChangePointOfSaleBody {
  @Text({ max: MAX_NAME_LENGTH, example: 'Counter', description: 'Your own name for the point of sale.' })
  name!: string;

  @Nested(() => PointOfSaleConfigBody, { description: CONFIG_DESCRIPTION })
  config!: PointOfSaleConfigBody;

  @OneOf(POINT_OF_SALE_TYPES, {
    optional: true,
    example: 'physical',
    description:
      'Current type of the point of sale. It cannot be changed: any other value is rejected. Can be omitted.',
  })
  type?: PointOfSaleType;

  @AnyText(
    { format: 'uuid' },
    {
      optional: true,
      description:
        'Id of the account that the point of sale belongs to. It cannot be changed: any other value is rejected. ' +
        'Can be omitted.',
    },
  )
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
