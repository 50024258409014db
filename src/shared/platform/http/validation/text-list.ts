import { rule, type FieldOptions } from './field-rules.js';

export interface TextListOptions extends FieldOptions {
  maxItems: number;
  /** The greatest length of one text, in UTF-16 units. */
  maxLength: number;
  /** The format of one text, for the document. */
  format?: string;
  /** True where one text can be what it is to be. */
  isOne: (text: string) => boolean;
  /** The rule of each text, as the end of a sentence. */
  each: string;
}

/** A list of 1 to `maxItems` texts, none of them twice. The list is named, not the text in it. */
export function TextList(options: TextListOptions): PropertyDecorator {
  const { maxItems, maxLength, format, isOne, each, ...others } = options;
  const isItem = (one: unknown) => typeof one === 'string' && one.length <= maxLength && isOne(one);
  const item = { type: 'string', minLength: 1, maxLength, ...(format === undefined ? {} : { format }) };
  return rule(
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
