import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsIn, ValidateBy, ValidateIf } from 'class-validator';
import { readEmail, MAX_EMAIL_LENGTH } from '#shared/kernel/email-address.js';
import { isLine, readHttpsUrl } from '#shared/kernel/text.js';

/** Options of every rule. An optional field may be absent or `null` (see `InputPipe`). */
export interface FieldOptions {
  optional?: boolean;
  /** Alternative field. If it is present, this field is not validated; otherwise this field is required. */
  unless?: string;
  description?: string;
  example?: unknown;
}

/** Arguments of a field decorator: a description and the other options, or only options. */
export type RuleArguments<Options = FieldOptions> =
  | [description: string, options: Options]
  | [options: Options]
  | (object extends Options ? [] | [string] : never);

/** Merges the arguments of a field decorator. */
export function optionsOf<Options extends FieldOptions>(args: RuleArguments<Options>): Options {
  const [first, others] = args as [(string | Options)?, Options?];
  return typeof first === 'string'
    ? ({ ...others, description: first } as Options)
    : (first ?? ({} as Options));
}

/** No look-ahead, which some client languages do not support. */
const DECIMAL = /^(?:[1-9][0-9]*(?:\.[0-9]+)?|0\.[0-9]*[1-9][0-9]*)$/;
const DECIMAL_FROM_ZERO = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
/**
 * Approximates `isLine` in regular expressions of all client languages: at least one visible character, no control
 * characters.
 */
const LINE = '^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$';

const decimalFields = new Set<PropertyKey>();

/** True for a field name that is a decimal string in every body that has it. */
export function isDecimalField(name: string): boolean {
  return decimalFields.has(name);
}

const decimalField: PropertyDecorator = (_, name) => void decimalFields.add(name);

/** The field may be absent or null; other values must meet its rules. */
export const Omittable = (): PropertyDecorator =>
  ValidateIf((_: object, value: unknown) => value !== undefined && value !== null);

const Without = (other: string): PropertyDecorator =>
  ValidateIf((object: Readonly<Record<string, unknown>>) => object[other] === undefined);

/**
 * A decimal string above zero in plain notation, at most 100 characters. `parseAmount` checks fraction digits and range,
 * which depend on the asset.
 */
export function DecimalAmount(...args: RuleArguments): PropertyDecorator {
  return decimalOf(
    DECIMAL,
    'must be a decimal string above zero, such as "10.50" (a point, not a comma).',
    optionsOf(args),
  );
}

/** An amount like `DecimalAmount`, or zero. */
export function DecimalFromZero(...args: RuleArguments): PropertyDecorator {
  return decimalOf(
    DECIMAL_FROM_ZERO,
    'must be a decimal string, such as "10.50" or "0" (a point, not a comma).',
    optionsOf(args),
  );
}

function decimalOf(pattern: RegExp, text: string, options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    decimalField,
    rule(
      'decimal_amount',
      (value) => withPoint(value, pattern) ?? text,
      (value) => typeof value === 'string' && value.length <= 100 && pattern.test(value),
      { type: String, pattern: pattern.source, maxLength: 100, example: '12.5' },
      options,
    ),
  );
}

/** @returns a hint if a decimal point would make the amount valid. A comma before three digits may group thousands. */
function withPoint(value: unknown, pattern: RegExp): string | undefined {
  if (typeof value !== 'string' || value.length > 100) return undefined;
  const pointed = value.replace(',', '.');
  if (pointed === value || !pattern.test(pointed) || /,[0-9]{3}$/.test(value)) return undefined;
  return `must use a point, not a comma: "${pointed}".`;
}

export interface TextOptions extends FieldOptions {
  /** In Unicode code points; default: 1. */
  min?: number;
  max: number;
}

/** One visible line of text; see `isLine`. */
export function Text(...args: RuleArguments<TextOptions>): PropertyDecorator {
  const { min = 1, max, ...options } = optionsOf(args);
  return rule(
    'text',
    `must be one line of ${min} to ${max} characters, without control characters and not only spaces.`,
    (value) => typeof value === 'string' && isLine(value, min, max),
    { type: String, minLength: min, maxLength: max, pattern: LINE },
    options,
  );
}

/** For the OpenAPI document only. */
export interface AnyTextOptions extends FieldOptions {
  format?: string;
  maxLength?: number;
}

/** Any string. The use case validates it, if a malformed value must give the same answer as another tenant's. */
export function AnyText(...args: RuleArguments<AnyTextOptions>): PropertyDecorator {
  const { format, maxLength, ...options } = optionsOf(args);
  return rule(
    'text',
    'must be a string.',
    (value) => typeof value === 'string',
    { type: String, ...(format && { format }), ...(maxLength && { maxLength }) },
    options,
  );
}

/** An absolute `https://` URL without user name or password, at most 2,048 characters. */
export function HttpsUrl(...args: RuleArguments): PropertyDecorator {
  return rule(
    'https_url',
    'must be an https:// URL such as "https://shop.example/return": at most 2048 characters, without a ' +
      'user name or password.',
    (value) => typeof value === 'string' && readHttpsUrl(value) !== undefined,
    {
      type: String,
      format: 'uri',
      pattern: '^https://',
      maxLength: 2048,
      example: 'https://shop.example/return',
    },
    optionsOf(args),
  );
}

/** A single email address without display name. */
export function EmailAddress(...args: RuleArguments): PropertyDecorator {
  return rule(
    'email',
    'must be an e-mail address, such as "anna@shop.example".',
    (value) => typeof value === 'string' && readEmail(value) !== undefined,
    { type: String, format: 'email', maxLength: MAX_EMAIL_LENGTH, example: 'anna@shop.example' },
    optionsOf(args),
  );
}

export function MerchantCategoryCode(): PropertyDecorator {
  return rule(
    'merchant_category_code',
    'must be four digits, such as "5814".',
    (value) => typeof value === 'string' && /^[0-9]{4}$/.test(value),
    { type: String, pattern: '^[0-9]{4}$' },
    { optional: true, description: 'Merchant category code (ISO 18245): four digits.', example: '5814' },
  );
}

export function Flag(...args: RuleArguments): PropertyDecorator {
  return rule(
    'boolean',
    'must be true or false.',
    (value) => typeof value === 'boolean',
    { type: Boolean },
    optionsOf(args),
  );
}

export function OneOf<T extends string>(words: readonly T[], ...args: RuleArguments): PropertyDecorator {
  return applyDecorators(
    // Omits a form's empty option, which means no choice.
    IsIn(words, { message: `must be one of: ${words.filter((word) => word !== '').join(', ')}.` }),
    ...documented({ enum: [...words] }, optionsOf(args)),
  );
}

/** Returns decorators that document a field and mark it as optional. */
export function documented(schema: object, options: FieldOptions): PropertyDecorator[] {
  const { optional = false, unless, description, example } = options;
  const property = {
    ...schema,
    required: !optional && unless === undefined,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  } as ApiPropertyOptions;
  const conditions = optional ? [Omittable()] : unless === undefined ? [] : [Without(unless)];
  return [ApiProperty(property), ...conditions];
}

/** Creates a custom rule with its OpenAPI schema. */
export function rule(
  name: string,
  message: string | ((value: unknown) => string),
  validate: (value: unknown) => boolean,
  schema: object,
  options: FieldOptions,
): PropertyDecorator {
  return applyDecorators(
    ValidateBy({
      name,
      validator: {
        validate,
        defaultMessage: (about) => (typeof message === 'string' ? message : message(about?.value)),
      },
    }),
    ...documented(schema, options),
  );
}
