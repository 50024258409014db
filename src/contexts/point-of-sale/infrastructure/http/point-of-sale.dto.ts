import {
  IsAnyText,
  IsFlag,
  IsHttpsUrl,
  IsMerchantCategoryCode,
  IsOneOf,
  IsText,
} from '#shared/platform/http/validation/field-rules.js';
import { IsMerchantAccountFilter } from '#shared/platform/http/validation/shared-fields.js';
import { IsNestedObject } from '#shared/platform/http/validation/nested-fields.js';
import { IsTextList } from '#shared/platform/http/validation/text-list.js';
import { requiredPageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import { toCamelCaseFields } from '#shared/kernel/text.js';
import { CHECKOUT_METHODS, type CheckoutMethod } from '../../contract/points-of-sale.js';
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
import type { PointOfSaleInput } from '../../application/validate-point-of-sale-description.js';
import { TillBody } from './till.dto.js';

export class PointOfSaleQuery extends requiredPageQuery(1) {
  @IsMerchantAccountFilter('points of sale')
  account_id?: string;
}

export class MerchantBody {
  @IsText('Name of the merchant, as shown to payers.', { max: MAX_NAME_LENGTH, example: 'Example Shop' })
  name!: string;

  @IsText('Description of the merchant.', {
    max: MAX_MERCHANT_DESCRIPTION_LENGTH,
    optional: true,
    example: 'Books and records',
  })
  description?: string;

  @IsText('Tax id of the merchant.', { max: MAX_TAX_ID_LENGTH, optional: true, example: 'DE123456789' })
  tax_id?: string;

  @IsHttpsUrl('HTTPS URL of the merchant’s logo.', {
    optional: true,
    example: 'https://shop.example/logo.png',
  })
  image?: string;

  @IsMerchantCategoryCode()
  mcc?: string;
}

const CONFIG_DESCRIPTION =
  'Configuration of the point of sale. An update replaces the whole configuration: omitted fields return to ' +
  'their defaults.';

export class PointOfSaleConfigBody {
  @IsNestedObject(() => MerchantBody, 'Merchant to show to payers.')
  merchant!: MerchantBody;

  @IsTextList('Unique ids of the assets that payers can pay with, from `GET /v1/assets`. Case-insensitive.', {
    maxItems: MAX_PAYMENT_OPTIONS,
    maxLength: 200,
    isOne: () => true,
    each: 'a unique asset id of `GET /v1/assets`',
    example: ['npolygon_t0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
  })
  payment_options!: string[];

  @IsHttpsUrl(
    'HTTPS URL to which the hosted checkout sends the payer when the session ends. Default: none.',
    {
      optional: true,
    },
  )
  return_url?: string;

  @IsTextList(
    'Origins that can embed the hosted checkout in a frame and receive its messages. Default: none.',
    {
      optional: true,
      maxItems: MAX_FRAME_ORIGINS,
      maxLength: 2048,
      format: 'uri',
      isOne: isSecureOrigin,
      each: 'an origin without a path, such as https://shop.example',
      example: ['https://shop.example'],
    },
  )
  frame_origins?: string[];

  @IsOneOf(
    CHECKOUT_METHODS,
    'First view of the hosted checkout. `address`: address and amount, for any wallet. `code`: the payment code, for ' +
      'wallets that support payment tokens. Default: `address`.',
    { optional: true, example: 'code' },
  )
  checkout_first?: CheckoutMethod;

  @IsFlag(
    'Whether payers can open `code_url` and enter an amount. Physical points of sale only. Default: false.',
    { optional: true },
  )
  open_amount?: boolean;

  @IsNestedObject(() => TillBody, 'Settings of the till. Physical points of sale only.', { optional: true })
  till?: TillBody;
}

export class CreatePointOfSaleBody {
  @IsText('Your own name for the point of sale.', { max: MAX_NAME_LENGTH, example: 'Counter' })
  name!: string;

  @IsOneOf(
    POINT_OF_SALE_TYPES,
    'Type of the point of sale. `online`: any number of payment requests can be open. `physical`: only one ' +
      'payment request can be open at a time. Cannot be changed later.',
    { example: 'physical' },
  )
  type!: PointOfSaleType;

  // An account outside the credential's scope gets a 403 response even if it is malformed.
  @IsAnyText(
    'Id of the account that the point of sale belongs to. Required for organization-level keys. ' +
      'Account-level keys can omit it or send the id of their account. Cannot be changed later.',
    { format: 'uuid', optional: true, example: '0193b2f4-5f0f-7b2a-a13d-2c3d4e5f6071' },
  )
  account_id?: string;

  @IsNestedObject(() => PointOfSaleConfigBody, CONFIG_DESCRIPTION)
  config!: PointOfSaleConfigBody;
}

export class ChangePointOfSaleBody {
  @IsText('Your own name for the point of sale.', { max: MAX_NAME_LENGTH, example: 'Counter' })
  name!: string;

  @IsNestedObject(() => PointOfSaleConfigBody, CONFIG_DESCRIPTION)
  config!: PointOfSaleConfigBody;

  @IsOneOf(
    POINT_OF_SALE_TYPES,
    'Current type of the point of sale. It cannot be changed: any other value is rejected. Can be omitted.',
    { optional: true, example: 'physical' },
  )
  type?: PointOfSaleType;

  @IsAnyText(
    'Id of the account that the point of sale belongs to. It cannot be changed: any other value is rejected. ' +
      'Can be omitted.',
    { format: 'uuid', optional: true },
  )
  account_id?: string;
}

export function toPointOfSaleInput({ name, config }: ChangePointOfSaleBody): PointOfSaleInput {
  const { till, ...others } = config;
  return {
    name,
    ...toCamelCaseFields(others),
    merchant: toCamelCaseFields(config.merchant),
    till: till ? toCamelCaseFields(till) : undefined,
  };
}
