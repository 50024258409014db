import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { rule, type FieldOptions } from './field-rules.js';
import { isTransformedBy } from './input-metadata.js';

export interface QueryIntegerOptions extends FieldOptions {
  min: number;
  max: number;
  /** Documented only: the class sets it. Makes the key optional. */
  default?: number;
}

/** A whole number in a query, in plain ASCII digits; `1e1`, `0x1`, `1.0`, ` 1`, `01` and other scripts' digits are refused. */
export function QueryInteger({
  min,
  max,
  default: standard,
  ...options
}: QueryIntegerOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => toInteger(value), { toClassOnly: true }),
    isTransformedBy(toInteger),
    rule(
      'integer',
      `must be a whole number from ${min} to ${max}, in plain digits.`,
      (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
      {
        type: 'integer',
        minimum: min,
        maximum: max,
        ...(standard === undefined ? {} : { default: standard }),
      },
      { ...options, optional: options.optional ?? standard !== undefined },
    ),
  );
}

function toInteger(value: unknown): unknown {
  return typeof value === 'string' && /^(?:0|[1-9][0-9]{0,14})$/.test(value) ? Number(value) : value;
}
