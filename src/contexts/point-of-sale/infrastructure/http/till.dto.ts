import { answer, Field } from '#shared/platform/http/answers/answer.js';
import { DecimalAmount, customRule, Text } from '#shared/platform/http/validation/field-rules.js';
import { NestedList } from '#shared/platform/http/validation/nested-fields.js';
import { CoinCode } from '#shared/platform/http/validation/shared-fields.js';
import type { TillConfig } from '../../contract/points-of-sale.js';
import {
  areTipPercentages,
  MAX_PRODUCT_NAME_LENGTH,
  MAX_PRODUCTS,
  MAX_TIP_PERCENTAGES,
  tillFields,
  TIP_RULE,
} from '../../domain/till-config.js';

export class TillProductBody {
  @Text('Name of the product.', { max: MAX_PRODUCT_NAME_LENGTH, example: 'Flat white' })
  name!: string;

  @DecimalAmount('Price, in whole units of `coin_code`.', { example: '4.20' })
  amount!: string;
}

export class TillBody {
  @CoinCode('Currency of all amounts of the till: an ISO 4217 code or the symbol of an asset.')
  coin_code!: string;

  @customRule(
    'tip_percentages',
    TIP_RULE,
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

  @NestedList(
    () => TillProductBody,
    'Products that the cashier can choose instead of entering an amount. Default: none.',
    { optional: true, minItems: 0, maxItems: MAX_PRODUCTS },
  )
  products?: TillProductBody[];
}

export class TillProductAnswer {
  @Field('Name of the product.', { example: 'Flat white' })
  name!: string;

  @Field('Price, in whole units of `coin_code`.', { example: '4.2' })
  amount!: string;
}

export class TillAnswer {
  @Field('Currency of all amounts of the till: an ISO 4217 code or the symbol of an asset.', {
    example: 'EUR',
  })
  coin_code!: string;

  @Field('Tips that the till suggests, in percent. Absent if there are none.', {
    required: false,
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 100 },
    example: [5, 10],
  })
  tip_percentages?: readonly number[];

  @Field('Products that the cashier can choose instead of entering an amount. Absent if there are none.', {
    required: false,
    type: [TillProductAnswer],
  })
  products?: readonly TillProductAnswer[];
}

export function presentTill(till: TillConfig): TillAnswer {
  const fields = tillFields(till);
  const products = fields.products?.map((product) => answer(TillProductAnswer, product));
  return answer(TillAnswer, till, { ...fields, products });
}
