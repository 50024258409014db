import { MOST_CHOICES, type Choices } from '#shared/kernel/page.js';
import type { FieldError } from '../../kernel/domain-error.js';
import { t, type Text } from './words/text.js';

/**
 * A form is one list of fields, by the names that are posted. Inputs (`form-inputs.tsx`), the reading of what is posted
 * (`form-body.ts`) and the refusals beside the inputs come from it.
 */
export type FormFields = Readonly<Record<string, FormField>>;

export interface FormField {
  /**
   * A line of text unless set. `lines`: text of several lines. `choice`: one of `options`. `tick`: posts `on`, or nothing.
   * `ticks`: a group of such, one for each of `options`, whose names are `unshown` fields. `many`: a group of such for options
   * that only the request knows; what is ticked is read as one text, a value on each line. `hidden`: not seen, and sent where
   * it has a value. `file`: a file, in a form of its own (`@TakesFile`). `unshown`: accepted, and sent by a part that the page
   * has beside the form's inputs.
   */
  readonly kind?:
    | 'text'
    | 'email'
    | 'password'
    | 'date'
    | 'url'
    | 'lines'
    | 'choice'
    | 'tick'
    | 'ticks'
    | 'many'
    | 'second-factor'
    | 'file'
    | 'hidden'
    | 'unshown';
  readonly label?: Text;
  readonly hint?: Text;
  /** To choose from; a line of text suggests them, and takes others. */
  readonly options?: readonly FieldOption[];
  readonly required?: boolean;
  readonly maxlength?: number;
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric' | 'decimal';
  readonly autofocus?: boolean;
  /** An address, an id, a code or a hash; fields of certain kinds are so without it (`isExact`). */
  readonly exact?: true;
  /** The kinds of files that a browser offers first. */
  readonly accept?: string;
}

export interface FieldOption {
  readonly value: string;
  readonly label: Text;
  /** Only `ticks` and `many` show it. */
  readonly hint?: Text;
}

/** Texts by the names of fields, as they were typed; one that was not sent is absent. */
export type Typed<Fields extends FormFields = FormFields> = { readonly [Name in keyof Fields]?: string };

export interface ShownRefusal {
  readonly message: string;
  readonly errors: readonly FieldError[];
}

/** A form as it was sent; with its refusal where it comes back. */
export interface SentForm<Fields extends FormFields = FormFields> {
  readonly fields: Fields;
  readonly typed: Typed<Fields>;
  readonly refusal?: ShownRefusal | undefined;
}

/** A button without fields beside it sends this. */
export const BUTTON: SentForm = { fields: {}, typed: {} };

export const HIDDEN = { kind: 'hidden' } as const;
export const UNSHOWN = { kind: 'unshown' } as const;

/** It posts `code`: a one-time code, a recovery code, or what a passkey signs. */
export const SECOND_FACTOR = {
  kind: 'second-factor',
  label: 'One-time code',
  hint: 'Enter a code from your authenticator app, or a recovery code.',
  autocomplete: 'one-time-code',
  required: true,
} as const;

/** The name that the tick of one option of a `many` is posted by. */
export function tickName(field: string, value: string): string {
  return `${field}.${value}`;
}

/** The first option of a filter. */
export const ALL = { value: '', label: 'All' } as const;

/** Words of the API as options, with their labels. */
export function wordOptions(words: Readonly<Record<string, Text>>): FieldOption[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

interface ShownPointOfSale {
  readonly id: string;
  readonly name: string;
  readonly accountName: string;
}

/** Points of sale to choose from. @param typed by which they were found */
export function pointOfSaleChoice(
  { items, total }: Choices<ShownPointOfSale>,
  typed: string | undefined,
  first?: FieldOption,
): FormField {
  const options = items.map(({ id, name, accountName }) => ({
    value: id,
    label: { name: `${name} (${accountName})` },
  }));
  return choiceField({ options, total, typed, first });
}

/** Accounts to choose from; one without a name is shown by its id. @param typed by which they were found */
export function accountChoice(
  { items, total }: Choices<{ readonly id: string; readonly name: string | null }>,
  typed: string | undefined,
  first?: FieldOption,
): FormField {
  const options = items.map(({ id, name }) => ({ value: id, label: { name: name ?? id } }));
  return choiceField({ options, total, typed, first });
}

interface FoundOptions {
  readonly options: readonly FieldOption[];
  /** Exact number of all that fit. */
  readonly total: number;
  /** An id, or a part of a name. */
  readonly typed: string | undefined;
  /** The option that chooses none; the first one is chosen without it, unless some were searched for. */
  readonly first: FieldOption | undefined;
}

/** A list to choose from; where it would be too long, a text by which the next answer lists those that match. */
function choiceField({ options, total, typed = '', first }: FoundOptions): FormField {
  const isSearched = typed.trim() !== '';
  if (total <= MOST_CHOICES && (options.length > 0 || !isSearched)) {
    const none =
      first ?? (isSearched ? ({ value: '', label: 'Choose one, or search again' } as const) : undefined);
    return { kind: 'choice', options: none === undefined ? options : [none, ...options] };
  }
  const hint = isSearched
    ? t('{total} matches. Type more of the name, then submit to choose.', {
        total,
      })
    : t('{total} to choose from. Type part of the name, then submit to choose.', { total });
  return { kind: 'text', hint, maxlength: 200 };
}

/** The point of sale that something new belongs to. */
export const POINT_OF_SALE = { kind: 'choice', label: 'Point of sale' } as const;

/** Suggested, one or two for each hour; any other of the IANA database can be typed. */
const ZONES =
  'UTC America/Los_Angeles America/Denver America/Mexico_City America/Chicago America/New_York America/Bogota ' +
  'America/Santiago America/Argentina/Buenos_Aires America/Sao_Paulo Atlantic/Azores Europe/Lisbon Europe/London ' +
  'Europe/Madrid Europe/Berlin Africa/Lagos Europe/Athens Africa/Johannesburg Europe/Istanbul Africa/Nairobi ' +
  'Asia/Dubai Asia/Karachi Asia/Kolkata Asia/Dhaka Asia/Bangkok Asia/Singapore Asia/Shanghai Asia/Tokyo ' +
  'Australia/Sydney Pacific/Auckland';

export const TIME_ZONE = {
  label: 'Time zone',
  options: ZONES.split(' ').map((name) => ({ value: name, label: { name } })),
  maxlength: 64,
} as const;
