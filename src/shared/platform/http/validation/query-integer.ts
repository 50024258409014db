import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { readWholeNumber } from '#shared/kernel/text.js';
import {
  fieldRuleOptionsOf,
  customRule,
  type FieldRuleArguments,
  type FieldRuleOptions,
} from './field-rules.js';
import { storeTransform } from './input-metadata.js';

export interface QueryIntegerOptions extends FieldRuleOptions {
  min: number;
  max: number;
  default?: number;
}

/** A whole number in a query string, parsed by `readWholeNumber`. */
export function IsQueryInteger(...args: FieldRuleArguments<QueryIntegerOptions>): PropertyDecorator {
  const { min, max, default: standard, ...options } = fieldRuleOptionsOf(args);
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => toInteger(value), { toClassOnly: true }),
    storeTransform(toInteger),
    customRule(
      'integer',
      `must be a whole number from ${min} to ${max}.`,
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
  return typeof value === 'string' ? readWholeNumber(value) : value;
}
