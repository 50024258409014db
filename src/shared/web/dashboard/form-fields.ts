import type { FieldError } from '../../kernel/domain-error.js';

/**
 * A form is one list of fields, by the names that are posted. Inputs (`form-inputs.tsx`), the reading of what is posted
 * (`form-body.ts`) and the refusals beside the inputs come from it.
 */
export type FormFields = Readonly<Record<string, FormField>>;

export interface FormField {
  /**
   * A line of text unless set. `lines`: text of several lines. `choice`: one of `options`. `tick`: posts `on`, or nothing.
   * `ticks`: a group of such, one for each of `options`, whose names are `unshown` fields. `hidden`: not seen, and sent where
   * it has a value. `unshown`: accepted, and sent by a part that the page has beside the form's inputs.
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
    | 'second-factor'
    | 'hidden'
    | 'unshown';
  readonly label?: string;
  readonly hint?: string;
  readonly options?: readonly FieldOption[];
  readonly required?: boolean;
  readonly maxlength?: number;
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric' | 'decimal';
  readonly autofocus?: boolean;
}

export interface FieldOption {
  readonly value: string;
  readonly label: string;
  /** Only `ticks` show it. */
  readonly hint?: string;
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
  hint: 'From your authenticator app, or one of your recovery codes.',
  autocomplete: 'one-time-code',
  required: true,
} as const;

/** The first option of a filter. */
export const ALL = { value: '', label: 'All' };

/** Words of the API as options, with their labels. */
export function wordOptions(words: Readonly<Record<string, string>>): FieldOption[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** Accounts to choose from; one without a name is shown by its id. */
export function accountOptions(
  accounts: readonly { readonly id: string; readonly name: string | null }[],
): FieldOption[] {
  return accounts.map(({ id, name }) => ({ value: id, label: name ?? id }));
}

export function pointOfSaleOptions(
  pointsOfSale: readonly { readonly id: string; readonly name: string; readonly accountName: string }[],
): FieldOption[] {
  return pointsOfSale.map(({ id, name, accountName }) => ({ value: id, label: `${name} (${accountName})` }));
}

/** The point of sale that something new belongs to. */
export const POINT_OF_SALE = { kind: 'choice', label: 'Point of sale' } as const;
