import { MAX_CHOICES, type Choices } from '#shared/kernel/page.js';
import type { FieldError } from '../../kernel/domain-error.js';
import { type DashboardStatus, statusLabel } from '../parts/status-badge.js';
import { t, type DisplayText, type Word } from './words/text.js';

/** The fields of a form by posted name. */
export type FormFields = Readonly<Record<string, FormField>>;

export interface FormField {
  /**
   * Default: a line of text. `tick`: posts `on` or nothing. `many`: options that only the request knows. `hidden`:
   * sent if it has a value. `file`: on a route with `@TakesFile`. `unshown`: accepted, but rendered elsewhere.
   */
  readonly kind?:
    | 'text'
    | 'email'
    | 'password'
    | 'date'
    | 'month'
    | 'datetime-local'
    | 'color'
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
  readonly label?: DisplayText;
  readonly hint?: DisplayText;
  /** Options of a drop-down list, or suggestions for a text field. */
  readonly options?: readonly SelectOption[];
  readonly required?: boolean;
  /** Hidden unless the form has the option `physical` selected, or the box `own_colour` ticked (forms.browser.css). */
  readonly onlyFor?: 'physical' | 'own-colour';
  /** Displayed below "More options", after the other fields. */
  readonly isFolded?: true;
  readonly maxlength?: number;
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric' | 'decimal';
  readonly autofocus?: boolean;
  /** Marks an address, id, code or hash, which phones must not correct. Some kinds of fields imply it (`isExact`). */
  readonly exact?: true;
  /** File types that the browser offers first. */
  readonly accept?: string;
}

export interface SelectOption {
  readonly value: string;
  readonly label: DisplayText;
  /** Displayed only by the kinds `ticks` and `many`. */
  readonly hint?: DisplayText;
}

/** Typed strings by field name. A field that the browser did not send is absent. */
export type SubmittedFields<Fields extends FormFields = FormFields> = {
  readonly [Name in keyof Fields]?: string;
};

export interface FormErrors {
  readonly message: string;
  readonly errors: readonly FieldError[];
}

/** A posted form, with its errors if it was rejected. */
export interface SubmittedForm<Fields extends FormFields = FormFields> {
  readonly fields: Fields;
  readonly typed: SubmittedFields<Fields>;
  readonly refusal?: FormErrors | undefined;
}

/** Outcome of the form action before this page: its name if it was completed, or its form if it was rejected. */
export interface FormActionOutcome {
  readonly done?: string | undefined;
  readonly sent?: SubmittedForm | undefined;
}

/** The form of a button without any fields. */
export const EMPTY_FORM: SubmittedForm = { fields: {}, typed: {} };

export const HIDDEN_FIELD = { kind: 'hidden' } as const;
export const UNRENDERED_FIELD = { kind: 'unshown' } as const;

/** Field `code`: a one-time code, a recovery code or a passkey signature. */
export const SECOND_FACTOR_FIELD = {
  kind: 'second-factor',
  label: 'One-time code',
  hint: 'Enter a code from your authenticator app, or a recovery code.',
  autocomplete: 'one-time-code',
  required: true,
} as const;

/** Returns the posted name of the checkbox for one option of a `many` field. */
export function checkboxName(field: string, value: string): string {
  return `${field}.${value}`;
}

/** The first option of a filter, which means no filter. */
export const ALL_OPTION = { value: '', label: 'All' } as const;

export function createStatusFilter(statuses: readonly DashboardStatus[], label: Word = 'Status') {
  const options = statuses.map((value) => ({ value, label: statusLabel(value) }));
  return { kind: 'choice', label, options: [ALL_OPTION, ...options] } as const;
}

/** Converts API values and their labels to options. */
export function toOptions(words: Readonly<Record<string, DisplayText>>): SelectOption[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

interface ShownPointOfSale {
  readonly id: string;
  readonly name: string;
  readonly accountName: string;
}

/** Creates a field for choosing a point of sale. @param typed text that the person searched for */
export function createPointOfSaleField(
  { items, total }: Choices<ShownPointOfSale>,
  typed: string | undefined,
  first?: SelectOption,
): FormField {
  const options = items.map(({ id, name, accountName }) => ({
    value: id,
    label: { name: `${name} (${accountName})` },
  }));
  return createChoiceField({ options, total, typed, first });
}

/** @param typed text that the person searched for */
export function createMerchantAccountField(
  { items, total }: Choices<{ readonly id: string; readonly name: string | null }>,
  typed: string | undefined,
  first?: SelectOption,
): FormField {
  const options = items.map(({ id, name }) => ({ value: id, label: { name: name ?? id } }));
  return createChoiceField({ options, total, typed, first });
}

interface ChoiceMatches {
  readonly options: readonly SelectOption[];
  /** Exact number of matching items, which may be more than `options`. */
  readonly total: number;
  /** Text that the person searched for: an id or part of a name. */
  readonly typed: string | undefined;
  /** Option that means no choice. If absent, the first option is preselected, unless the options are search results. */
  readonly first: SelectOption | undefined;
}

/** A search field if there are too many options; the next page then lists the matches. */
function createChoiceField({ options, total, typed = '', first }: ChoiceMatches): FormField {
  const isSearched = typed.trim() !== '';
  if (total <= MAX_CHOICES && (options.length > 0 || !isSearched)) {
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

/** Creates a field for choosing a currency or an asset symbol. @param current is offered even if it is not in `codes` */
export function createCoinField(codes: readonly string[], current = '', first?: SelectOption): FormField {
  const all = new Set(current === '' ? codes : [...codes, current]);
  const options = [...all].map((value) => ({ value, label: { name: value } }));
  return { kind: 'choice', options: first === undefined ? options : [first, ...options] };
}

export const POINT_OF_SALE_FIELD = { kind: 'choice', label: 'Point of sale' } as const;

/** One or two time zones per hour of offset. */
const TIME_ZONES = (
  'UTC America/Los_Angeles America/Denver America/Mexico_City America/Chicago America/New_York America/Bogota ' +
  'America/Santiago America/Argentina/Buenos_Aires America/Sao_Paulo Atlantic/Azores Europe/Lisbon Europe/London ' +
  'Europe/Madrid Europe/Berlin Africa/Lagos Europe/Athens Africa/Johannesburg Europe/Istanbul Africa/Nairobi ' +
  'Asia/Dubai Asia/Karachi Asia/Kolkata Asia/Dhaka Asia/Bangkok Asia/Singapore Asia/Shanghai Asia/Tokyo ' +
  'Australia/Sydney Pacific/Auckland'
).split(' ');
const toTimeZoneOption = (name: string): SelectOption => ({ value: name, label: { name } });

/** Any other IANA time zone can be typed. */
export const TIME_ZONE_FIELD = {
  label: 'Time zone',
  options: TIME_ZONES.map(toTimeZoneOption),
  maxlength: 64,
} as const;

/** A drop-down list of time zones. @param own used if nothing is chosen @param chosen listed even if not suggested */
export function createTimeZoneField(own: string, chosen: string | undefined): FormField {
  const others = new Set([...TIME_ZONES, ...(chosen ? [chosen] : [])].filter((name) => name !== own));
  return {
    kind: 'choice',
    options: [{ ...toTimeZoneOption(own), value: '' }, ...[...others].map(toTimeZoneOption)],
  };
}
