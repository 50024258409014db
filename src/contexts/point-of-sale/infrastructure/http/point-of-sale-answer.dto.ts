import {
  answerFromView,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import { CHECKOUT_METHODS, type CheckoutMethod } from '../../contract/points-of-sale.js';
import type { PointOfSaleView } from '../persistence/points-of-sale-records.js';
import {
  POINT_OF_SALE_TYPES,
  type PointOfSaleType,
  type PrintedCodeUrls,
} from '../../domain/point-of-sale.js';
import { presentTill, TillAnswer } from './till.dto.js';

export class MerchantAnswer {
  @AnswerField('Name of the merchant, as shown to payers.', { example: 'Example Shop' })
  name!: string;

  @AnswerField('Description of the merchant. Absent if there is none.', {
    required: false,
    example: 'Books and records',
  })
  description?: string;

  @AnswerField('Tax id of the merchant. Absent if there is none.', {
    required: false,
    example: 'DE123456789',
  })
  tax_id?: string;

  @AnswerField('URL of the merchant’s logo. Absent if there is none.', {
    required: false,
    format: 'uri',
    example: 'https://shop.example/logo.png',
  })
  image?: string;

  @AnswerField('Merchant category code (ISO 18245): four digits. Absent if there is none.', {
    required: false,
    example: '5732',
  })
  mcc?: string;
}

export class PointOfSaleConfigAnswer {
  @AnswerField('Merchant, as shown to payers.')
  merchant!: MerchantAnswer;

  @AnswerField('Unique ids of the assets that payers can pay with.', {
    type: [String],
    example: ['npolygon_t0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
  })
  payment_options!: readonly string[];

  @AnswerField(
    'URL to which the hosted checkout sends the payer when the session ends. Absent if there is none.',
    {
      required: false,
      format: 'uri',
      example: 'https://shop.example/return',
    },
  )
  return_url?: string;

  @AnswerField('Origins that can embed the hosted checkout in a frame. Absent if there are none.', {
    required: false,
    type: [String],
    example: ['https://shop.example'],
  })
  frame_origins?: readonly string[];

  @AnswerField(
    'First view of the hosted checkout. `address`: address and amount, for any wallet. `code`: the payment code, for ' +
      'wallets that support payment tokens.',
    { enum: CHECKOUT_METHODS, enumName: 'CheckoutWay' },
  )
  checkout_first!: CheckoutMethod;

  @AnswerField('Whether payers can open `code_url` and enter an amount.', { example: false })
  open_amount!: boolean;

  @AnswerField('Settings of the till. Physical points of sale only. Absent if there are none.', {
    required: false,
  })
  till?: TillAnswer;
}

export class DeletedPointOfSaleAnswer {
  @UuidField('Id of the deleted point of sale.')
  id!: string;
}

export class PointOfSaleAnswer {
  @UuidField('Unique id of the point of sale.', { example: '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90' })
  id!: string;

  @AnswerField('Your own name for the point of sale.', { example: 'Web shop' })
  name!: string;

  @AnswerField(
    'Type of the point of sale. `online`: any number of payment requests can be open. `physical`: only one ' +
      'payment request can be open at a time, and the point of sale has a printed code.',
    { enum: POINT_OF_SALE_TYPES, enumName: 'PointOfSaleType' },
  )
  type!: PointOfSaleType;

  @UuidField('Id of the organization.')
  organization_id!: string;

  @AnswerField('Name of the organization.', { example: 'Example Shops' })
  organization_name!: string;

  @UuidField('Id of the account that the point of sale belongs to.', {
    example: '0193b2f4-5f0f-7b2a-a13d-2c3d4e5f6071',
  })
  account_id!: string;

  @AnswerField('Name of the account.', { example: 'Berlin' })
  account_name!: string;

  @AnswerField(
    'Public code, printed at the till. Case-sensitive; never changes. Absent for online points of sale.',
    { required: false, example: 'Zr0t8pJ5cVd2mQw7LxK1AgB' },
  )
  code?: string;

  @AnswerField(
    'URL to print as a QR code. It returns a payment page to browsers, and the payment instruction to ' +
      'wallets. Absent for online points of sale.',
    { required: false, format: 'uri', example: 'https://pay.example/pos/Zr0t8pJ5cVd2mQw7LxK1AgB' },
  )
  code_url?: string;

  @AnswerField('Configuration of the point of sale.')
  config!: PointOfSaleConfigAnswer;

  @TimestampField('Time when the point of sale was created.')
  created_at!: string;

  @TimestampField('Time when the point of sale was last changed.')
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

export function presentPointOfSale(point: PointOfSaleView, urls: PrintedCodeUrls): PointOfSaleAnswer {
  const { code, till } = point;
  return answerFromView(PointOfSaleAnswer, point, {
    code_url: code === null ? undefined : urls.forCode(code),
    config: answerFromView(PointOfSaleConfigAnswer, point, {
      merchant: answerFromView(MerchantAnswer, point.merchant),
      frame_origins: point.frameOrigins.length === 0 ? undefined : point.frameOrigins,
      till: till === null ? undefined : presentTill(till),
    }),
  });
}
