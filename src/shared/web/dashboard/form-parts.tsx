import type { ComponentChildren, VNode } from 'preact';
import type { FieldError } from '../../kernel/domain-error.js';

export interface ShownRefusal {
  readonly message: string;
  readonly errors: readonly FieldError[];
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly refusal?: ShownRefusal | undefined;
}

interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'url';
  readonly value?: string | undefined;
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric' | 'decimal';
  readonly required?: boolean;
  readonly maxlength?: number;
  readonly autofocus?: boolean;
}

/** Shows problems of the form as a whole; each field shows its own. */
export function RefusalNotice({
  refusal,
  fields,
}: {
  refusal?: ShownRefusal | undefined;
  fields: readonly string[];
}) {
  if (refusal === undefined) return null;
  const elsewhere = refusal.errors.filter(({ field }) => !fields.includes(rootOf(field)));
  const sentences =
    refusal.errors.length === 0
      ? [refusal.message]
      : elsewhere.map(({ field, message }) => `${field}: ${message}`);
  return (
    <div class="alert" role="alert">
      {sentences.length === 0 ? (
        <p>Check the marked fields.</p>
      ) : (
        sentences.map((sentence) => <p>{sentence}</p>)
      )}
    </div>
  );
}

/** A line of text with its label, hint and what was wrong with it. */
export function TextField({ name, label, hint, refusal, type = 'text', ...input }: TextFieldProps): VNode {
  const { problems, described } = describe(name, hint, refusal);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input id={name} name={name} {...(input as object)} {...described} type={type as 'text'} />
      <FieldNotes name={name} hint={hint} problems={problems} />
    </div>
  );
}

/** A `TextField` of several lines. */
export function TextArea({
  name,
  label,
  hint,
  refusal,
  value,
  rows = 3,
}: FieldProps & { value?: string; rows?: number }): VNode {
  const { problems, described } = describe(name, hint, refusal);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <textarea id={name} name={name} rows={rows} {...described}>
        {value}
      </textarea>
      <FieldNotes name={name} hint={hint} problems={problems} />
    </div>
  );
}

interface SelectFieldProps extends FieldProps {
  readonly value?: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export function SelectField({ name, label, hint, refusal, value, options }: SelectFieldProps): VNode {
  const { problems, described } = describe(name, hint, refusal);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} {...described}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
      <FieldNotes name={name} hint={hint} problems={problems} />
    </div>
  );
}

interface CheckFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly checked?: boolean;
}

/** Posts `on`, or nothing. */
export function CheckField({ name, label, hint, checked = false }: CheckFieldProps): VNode {
  return (
    <div class="check">
      <input
        id={name}
        name={name}
        type="checkbox"
        checked={checked}
        {...(hint === undefined ? {} : { 'aria-describedby': `${name}-hint` })}
      />
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <p class="note" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A form that posts to its own page unless it has an action. */
export function Form({ action, children }: { action?: string; children: ComponentChildren }): VNode {
  return (
    <form method="post" class="stack" {...(action === undefined ? {} : { action })}>
      {children}
    </form>
  );
}

function describe(name: string, hint: string | undefined, refusal: ShownRefusal | undefined) {
  const problems = (refusal?.errors ?? [])
    .filter(({ field }) => rootOf(field) === name)
    .map(({ message }) => message);
  const ids = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(problems.length === 0 ? [] : [`${name}-problem`]),
  ];
  return {
    problems,
    described: {
      ...(ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') }),
      ...(problems.length === 0 ? {} : { 'aria-invalid': 'true' as const }),
    },
  };
}

function FieldNotes({
  name,
  hint,
  problems,
}: {
  name: string;
  hint?: string | undefined;
  problems: readonly string[];
}) {
  return (
    <>
      {hint !== undefined && (
        <p class="note" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {problems.length > 0 && (
        <p class="problem" id={`${name}-problem`}>
          {problems.join(' ')}
        </p>
      )}
    </>
  );
}

/** `allowed_ips` of `allowed_ips[2]`. */
function rootOf(field: string): string {
  return field.replace(/[.[].*$/s, '');
}

/**
 * Where a form asks for the second factor; it posts `code`. The button is revealed where the browser knows passkeys: what
 * the passkey signs is posted in the place of a code.
 */
export function SecondFactorField({
  refusal,
  autofocus = false,
}: {
  refusal?: ShownRefusal | undefined;
  autofocus?: boolean;
}): VNode {
  return (
    <div class="stack">
      <TextField
        name="code"
        label="One-time code"
        hint="From your authenticator app, or one of your recovery codes."
        autocomplete="one-time-code"
        refusal={refusal}
        autofocus={autofocus}
        required
      />
      <button type="button" class="button" data-passkey="prove" hidden>
        Use a passkey instead
      </button>
    </div>
  );
}

interface PointOfSaleFieldProps {
  readonly pointsOfSale: readonly {
    readonly id: string;
    readonly name: string;
    readonly accountName: string;
  }[];
  readonly hint: string;
  readonly value: string | undefined;
  readonly refusal: ShownRefusal | undefined;
}

/** The point of sale that something new belongs to; posts `point_of_sale_id`. */
export function PointOfSaleField({ pointsOfSale, ...field }: PointOfSaleFieldProps): VNode {
  return (
    <SelectField
      name="point_of_sale_id"
      label="Point of sale"
      options={pointsOfSale.map(({ id, name, accountName }) => ({
        value: id,
        label: `${name} (${accountName})`,
      }))}
      {...field}
    />
  );
}
