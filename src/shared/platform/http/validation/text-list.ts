import {
  fieldRuleOptionsOf,
  customRule,
  type FieldRuleArguments,
  type FieldRuleOptions,
} from './field-rules.js';

export interface TextListOptions extends FieldRuleOptions {
  maxItems: number;
  maxLength: number;
  format?: string;
  isOne: (text: string) => boolean;
  each: string;
}

export function IsTextList(...args: FieldRuleArguments<TextListOptions>): PropertyDecorator {
  const { maxItems, maxLength, format, isOne, each, ...others } = fieldRuleOptionsOf(args);
  const isItem = (one: unknown) => typeof one === 'string' && one.length <= maxLength && isOne(one);
  const item = { type: 'string', minLength: 1, maxLength, ...(format === undefined ? {} : { format }) };
  return customRule(
    'text_list',
    `must be a list of 1 to ${maxItems} different items, each ${each}.`,
    (value) =>
      Array.isArray(value) &&
      value.length >= 1 &&
      value.length <= maxItems &&
      value.every(isItem) &&
      new Set(value).size === value.length,
    { type: 'array', minItems: 1, maxItems, uniqueItems: true, items: item },
    others,
  );
}
