import { ASSET_SYMBOL_PATTERN } from '#shared/kernel/asset.js';
import { MAX_REFERENCE_ID_LENGTH } from '#shared/kernel/ids.js';
import { requireOrderedRange, parseTimeSince2000, type TimeRange } from '#shared/kernel/instant.js';
import {
  IsAnyText,
  IsEmailAddress,
  fieldRuleOptionsOf,
  customRule,
  IsText,
  type FieldRuleArguments,
} from './field-rules.js';

export function IsReferenceId(...args: FieldRuleArguments): PropertyDecorator {
  return IsText({
    max: MAX_REFERENCE_ID_LENGTH,
    optional: true,
    example: 'order-1042',
    ...fieldRuleOptionsOf(args),
  });
}

export function IsPayerEmail(): PropertyDecorator {
  return IsEmailAddress(
    'Email address of the payer. The service sends the receipt to this address once, in English. It stores ' +
      'the address only until then, and never returns it. Default: none.',
    { optional: true, example: 'anna@mail.example' },
  );
}

export const EXAMPLE_ASSET = 'nerc20_t0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

export function IsUniqueAssetId(...args: FieldRuleArguments): PropertyDecorator {
  return IsText({ max: 128, example: EXAMPLE_ASSET, ...fieldRuleOptionsOf(args) });
}

export function IsCoinCode(...args: FieldRuleArguments): PropertyDecorator {
  return customRule(
    'coin_code',
    'must be an ISO 4217 currency or an asset symbol, such as "EUR" or "USDC".',
    (value) => typeof value === 'string' && ASSET_SYMBOL_PATTERN.test(value),
    { type: String, pattern: ASSET_SYMBOL_PATTERN.source },
    { example: 'EUR', ...fieldRuleOptionsOf(args) },
  );
}

/** A timestamp in the years 2000 to 2999, in ISO 8601 with `Z` or an offset and at most nine fraction digits. */
export function IsInstant(...args: FieldRuleArguments): PropertyDecorator {
  return customRule(
    'instant',
    'must be an ISO 8601 time with Z or an offset, such as "2030-01-31T12:00:00Z", from the year 2000.',
    (value) => typeof value === 'string' && parseTimeSince2000(value) !== undefined,
    { type: String, format: 'date-time', maxLength: 35 },
    fieldRuleOptionsOf(args),
  );
}

export function IsMerchantAccountFilter(listed: string, example?: string): PropertyDecorator {
  return IsAnyText(`Only ${listed} of this account. Only organization-level keys can send this parameter.`, {
    format: 'uuid',
    optional: true,
    example,
  });
}

export class CreatedRangeQuery {
  @IsInstant(
    'Only items created at this time or later. ISO 8601 with `Z` or an offset, in the years 2000 to 2999.',
    { optional: true, example: '2026-01-01T00:00:00Z' },
  )
  created_from?: string;

  @IsInstant('Only items created before this time. Must not be earlier than `created_from`.', {
    optional: true,
    example: '2026-02-01T00:00:00Z',
  })
  created_to?: string;
}

export function toCreatedRange({ created_from: from, created_to: to }: CreatedRangeQuery): TimeRange {
  return requireOrderedRange(
    from === undefined ? from : parseTimeSince2000(from),
    to === undefined ? to : parseTimeSince2000(to),
  );
}
