import { answerFromView, AnswerField } from '#shared/platform/http/answers/answer.js';
import { IsDecimalAmount, customRule, IsText } from '#shared/platform/http/validation/field-rules.js';
import { IsNestedList } from '#shared/platform/http/validation/nested-fields.js';
import { IsCoinCode } from '#shared/platform/http/validation/shared-fields.js';
import type { TillConfig } from '../../contract/points-of-sale.js';
import {
  areTipPercentages,
  MAX_PRODUCT_NAME_LENGTH,
  MAX_PRODUCTS,
  MAX_TIP_PERCENTAGES,
  tillFields,
  TIP_PERCENTAGES_MESSAGE,
} from '../../domain/till-config.js';

export class TillProductBody {
  @IsText('Name of the product.', { max: MAX_PRODUCT_NAME_LENGTH, example: 'Flat white' })
  name!: string;

  @IsDecimalAmount('Price, in whole units of `coin_code`.', { example: '4.20' })
  amount!: string;
}

export class TillBody {
  @IsCoinCode('Currency of all amounts of the till: an ISO 4217 code or the symbol of an asset.')
  coin_code!: string;

  @customRule(
    'tip_percentages',
    TIP_PERCENTAGES_MESSAGE,
    (value) => Array.isArray(value) && areTipPercentages(value),
    {
      type: 'array',
      maxItems: MAX_TIP_PERCENTAGES,
      uniqueItems: true,
      items: { type: 'integer', minimum: 1, maximum: 100 },
    },
    {
      optional: true,
      description: 'Tips that the till suggests, in percent. Default: none.',
      example: [5, 10],
    },
  )
  tip_percentages?: number[];

  @IsNestedList(
    () => TillProductBody,
    'Products that the cashier can choose instead of entering an amount. Default: none.',
    { optional: true, minItems: 0, maxItems: MAX_PRODUCTS },
  )
  products?: TillProductBody[];
}

export class TillProductAnswer {
  @AnswerField('Name of the product.', { example: 'Flat white' })
  name!: string;

  @AnswerField('Price, in whole units of `coin_code`.', { example: '4.2' })
  amount!: string;
}

export class TillAnswer {
  @AnswerField('Currency of all amounts of the till: an ISO 4217 code or the symbol of an asset.', {
    example: 'EUR',
  })
  coin_code!: string;

  @AnswerField('Tips that the till suggests, in percent. Absent if there are none.', {
    required: false,
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 100 },
    example: [5, 10],
  })
  tip_percentages?: readonly number[];

  @AnswerField(
    'Products that the cashier can choose instead of entering an amount. Absent if there are none.',
    {
      required: false,
      type: [TillProductAnswer],
    },
  )
  products?: readonly TillProductAnswer[];
}

export function presentTill(till: TillConfig): TillAnswer {
  const fields = tillFields(till);
  const products = fields.products?.map((product) => answerFromView(TillProductAnswer, product));
  return answerFromView(TillAnswer, till, { ...fields, products });
}
