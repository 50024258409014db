import { invalidField } from '#shared/kernel/domain-error.js';
import { formatAmountForEditing, parseEnteredAmount } from '#shared/kernel/entered-amount.js';
import { readWholeNumber } from '#shared/kernel/text.js';
import { splitEntries, trimmedOrUndefined } from '#shared/platform/http/dashboard/form-body.js';
import type { FormFields, SubmittedFields } from '#shared/web/dashboard/form-fields.js';
import type { TillConfig } from '../../contract/points-of-sale.js';
import type { TillConfigInput } from '../../domain/till-config.js';

export const TILL_FIELDS = {
  open_amount: {
    kind: 'tick',
    label: 'Payers enter the amount after scanning the printed code',
    onlyFor: 'physical',
    isFolded: true,
  },
  till_coin_code: {
    kind: 'choice',
    label: 'Till currency',
    hint: 'Cashiers type amounts in this currency.',
    onlyFor: 'physical',
  },
  till_tip_percentages: {
    label: 'Tips in % (optional)',
    hint: 'At most four whole numbers, for example 5, 10.',
    onlyFor: 'physical',
    isFolded: true,
  },
  till_products: {
    kind: 'lines',
    label: 'Till products, one per line (optional)',
    hint: 'Name and price, for example: Flat white = 4.20',
    onlyFor: 'physical',
    isFolded: true,
  },
} satisfies FormFields;

/** Browsers also send the fields that the form hides for an online point of sale. */
export const BLANK_TILL_FIELDS = Object.fromEntries(Object.keys(TILL_FIELDS).map((name) => [name, '']));

type TypedTillFields = SubmittedFields<typeof TILL_FIELDS>;

/** Undefined if all till fields are blank. The use cases reject invalid numbers and prices. */
export function readTillFields(typed: TypedTillFields): TillConfigInput | undefined {
  const tips = readTips(typed.till_tip_percentages);
  const lines = nonBlankLines(typed.till_products);
  const coinCode = trimmedOrUndefined(typed.till_coin_code);
  if (coinCode === undefined && tips.length === 0 && lines.length === 0) return undefined;
  return {
    coinCode: coinCode ?? '',
    tipPercentages: tips.map((tip) => readWholeNumber(tip.replace(/%$/, ''))),
    products: lines.map((line, index) => {
      const at = line.lastIndexOf('=');
      return at < 0
        ? { name: line, amount: '' }
        : {
            name: line.slice(0, at).trim(),
            amount: parseEnteredAmount(line.slice(at + 1), `config.till.products[${index}].amount`),
          };
    }),
  };
}

export function tillFieldValues(till: TillConfig | null): TypedTillFields {
  if (till === null) return {};
  return {
    till_coin_code: till.coinCode,
    till_tip_percentages: till.tipPercentages.join(', '),
    till_products: till.products
      .map(({ name, amount }) => `${name} = ${formatAmountForEditing(amount)}`)
      .join('\n'),
  };
}

/** Renames `till.products[2]` to `till_products` and names the third line. */
export function renameTillError(field: string, message: string): { field: string; message: string } {
  const line = /^till\.products\[(\d+)\]/.exec(field)?.[1];
  if (line === undefined) return { field: field.replace(/^till\./, 'till_'), message };
  return { field: 'till_products', message: `${Number(line) + 1}: ${message}` };
}

/** A comma between two digits could be a decimal separator. @throws validation_failed */
function readTips(text = ''): string[] {
  if (/[0-9],[0-9]/.test(text))
    throw invalidField(
      'till_tip_percentages',
      'ambiguous_amount',
      'must have a space after each comma, such as "5, 10".',
    );
  return splitEntries(text);
}

function nonBlankLines(text = ''): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
