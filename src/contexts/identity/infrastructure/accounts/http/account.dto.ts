import { inCamelCase } from '#shared/kernel/camel-case.js';
import { answer, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import { DecimalAmount, Omittable, rule, Text } from '#shared/platform/http/validation/field-rules.js';
import { Nested } from '#shared/platform/http/validation/nested-fields.js';
import {
  MAX_EXTERNAL_ID_LENGTH,
  MAX_NAME_LENGTH,
  type Account,
  type AccountInput,
} from '#contexts/identity/domain/accounts/account.js';
import { MAX_TOLERANCE_BASIS_POINTS } from '#contexts/identity/domain/accounts/underpayment-tolerance-rule.js';

const BASIS_POINTS = {
  type: 'integer',
  format: 'int32',
  minimum: 0,
  maximum: MAX_TOLERANCE_BASIS_POINTS,
  description: 'Of the price; 0 accepts no shortfall.',
  example: 100,
} as const;

const AT_MOST = {
  description:
    'Largest accepted shortfall, in units of the price: of the `coin_code` of a checkout, of the asset of a direct request.',
  example: '2.5',
};

const CURRENCY = {
  description:
    'Currency of `at_most` (ISO 4217). The tolerance then applies only to prices in this currency and in assets pegged to it. ' +
    'Default: it applies to every price, whatever its coin.',
  example: 'USD',
};

/** The shortfall that is accepted: no more than either bound. */
export class UnderpaymentToleranceBody {
  @rule(
    'basis_points',
    `must be a whole number from 0 to ${MAX_TOLERANCE_BASIS_POINTS}.`,
    (value) =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOLERANCE_BASIS_POINTS,
    BASIS_POINTS,
    {},
  )
  basis_points!: number;

  // Older clients omit it with basis points of 0. The document asks for it always, since a schema cannot say "unless".
  @Omittable()
  @DecimalAmount(AT_MOST)
  at_most?: string;

  @Text({ ...CURRENCY, max: 3, optional: true })
  currency?: string;
}

const TOLERANCE = {
  description:
    'A payment that ends `underpaid` by no more than this is `fulfilled`. For requests that are created from now on.',
};

export class CreateAccountBody {
  @Text({ max: MAX_NAME_LENGTH, example: 'Berlin' })
  name!: string;

  @Text({
    max: MAX_EXTERNAL_ID_LENGTH,
    optional: true,
    example: 'store-berlin',
    description: 'Your own id of it, unique in the organization for good: a deleted account keeps its.',
  })
  external_id?: string;

  @Nested(() => UnderpaymentToleranceBody, { ...TOLERANCE, optional: true })
  underpayment_tolerance?: UnderpaymentToleranceBody;
}

/** All that can change of an account. */
export class ChangeAccountBody {
  @Text({ max: MAX_NAME_LENGTH, example: 'Berlin' })
  name!: string;

  @Text({
    max: MAX_EXTERNAL_ID_LENGTH,
    optional: true,
    example: 'store-berlin',
    description: 'Left out: it has none any more.',
  })
  external_id?: string;

  @Nested(() => UnderpaymentToleranceBody, {
    optional: true,
    description: `${TOLERANCE.description} Left out: it has none any more.`,
  })
  underpayment_tolerance?: UnderpaymentToleranceBody;
}

export class UnderpaymentToleranceAnswer {
  @Field(BASIS_POINTS)
  basis_points!: number;

  @Field(AT_MOST)
  at_most!: string;

  @Field({ ...CURRENCY, required: false })
  currency?: string;
}

export class AccountAnswer {
  @Uuid()
  id!: string;

  @Field({ required: false, description: 'The merchant’s own id; absent when there is none.' })
  external_id?: string;

  @Field()
  name!: string;

  @Field({ required: false, description: 'Absent where no shortfall is accepted.' })
  underpayment_tolerance?: UnderpaymentToleranceAnswer;

  @Time()
  created_at!: string;

  @Time()
  updated_at!: string;
}

export class DeletedAccountAnswer {
  @Uuid()
  id!: string;
}

export const ACCOUNT_EXAMPLE: AccountAnswer = {
  id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  external_id: 'store-berlin',
  name: 'Berlin',
  underpayment_tolerance: { basis_points: 100, at_most: '2.5' },
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
};

export function presentAccount(account: Account): AccountAnswer {
  const { underpaymentTolerance: tolerance } = account;
  return answer(AccountAnswer, account, {
    underpayment_tolerance: tolerance === null ? undefined : answer(UnderpaymentToleranceAnswer, tolerance),
  });
}

/** The fields that callers may set, under their names in the code. */
export function described({ underpayment_tolerance: tolerance, ...body }: CreateAccountBody): AccountInput {
  const underpaymentTolerance = tolerance ? inCamelCase(tolerance) : undefined;
  return { ...inCamelCase(body), underpaymentTolerance };
}
