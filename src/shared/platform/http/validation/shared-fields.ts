import { ASSET_SYMBOL } from '#shared/kernel/asset.js';
import { MAX_REFERENCE_ID_LENGTH } from '#shared/kernel/ids.js';
import { readInstant } from '#shared/kernel/instant.js';
import { EmailAddress, rule, Text, type FieldOptions } from './field-rules.js';

/** The merchant's own id of an order. Optional. */
export function ReferenceId(options: FieldOptions): PropertyDecorator {
  return Text({ max: MAX_REFERENCE_ID_LENGTH, optional: true, example: 'order-1042', ...options });
}

/** The payer's email address. Optional. */
export function PayerEmail(): PropertyDecorator {
  return EmailAddress({
    optional: true,
    description:
      'Email address of the payer. The service sends the receipt to this address once, in English. It stores ' +
      'the address only until then, and never returns it. Default: none.',
    example: 'anna@mail.example',
  });
}

export const EXAMPLE_ASSET = 'nerc20_t0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

export function UniqueAssetId(options: FieldOptions): PropertyDecorator {
  return Text({ max: 128, example: EXAMPLE_ASSET, ...options });
}

/** A currency or asset symbol. */
export function CoinCode(options: FieldOptions = {}): PropertyDecorator {
  return rule(
    'coin_code',
    'must be an ISO 4217 currency or an asset symbol, such as "EUR" or "USDC".',
    (value) => typeof value === 'string' && ASSET_SYMBOL.test(value),
    { type: String, pattern: ASSET_SYMBOL.source },
    { example: 'EUR', ...options },
  );
}

/** A time in the years 2000 to 2999, in ISO 8601 with `Z` or an offset and at most nine fraction digits. */
export function Instant(options: FieldOptions = {}): PropertyDecorator {
  return rule(
    'instant',
    'must be an ISO 8601 time with Z or an offset, such as "2030-01-31T12:00:00Z", from the year 2000.',
    (value) => typeof value === 'string' && readInstant(value) !== undefined,
    { type: String, format: 'date-time', maxLength: 35 },
    options,
  );
}
