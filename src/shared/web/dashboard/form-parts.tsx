import type { ComponentChildren, VNode } from 'preact';
import type { FormField, FormFields, SentForm, ShownRefusal, Typed } from './form-fields.js';

interface FieldsProps {
  readonly fields: FormFields;
  /** The form that was sent last; shown with what was typed where it is this one. */
  readonly sent?: SentForm | undefined;
  /** What the fields hold before anything was typed. */
  readonly values?: Typed;
  /** What only this request knows of fields: options, or a hint with an address. */
  readonly known?: Readonly<Record<string, FormField>>;
}

interface FieldsFormProps extends FieldsProps {
  /** The form posts to its own page without one. */
  readonly action?: string;
  /** The buttons, below the fields. */
  readonly children: ComponentChildren;
}

/** The form of a list of fields, below what was wrong with it as a whole. */
export function FieldsForm({ action, children, ...props }: FieldsFormProps): VNode {
  return (
    <>
      <RefusalNotice refusal={returned(props)?.refusal} fields={namesWithNotes(props.fields)} />
      <Form {...(action === undefined ? {} : { action })}>
        <Fields {...props} />
        {children}
      </Form>
    </>
  );
}

interface FiltersProps {
  readonly fields: FormFields;
  readonly values: Typed;
  readonly refusal?: ShownRefusal | undefined;
  readonly known?: FieldsProps['known'];
}

/** The filters of a list, as a form that shows the list again. */
export function Filters({ fields, values, refusal, known = {} }: FiltersProps): VNode {
  return (
    <form method="get" class="filters">
      <Fields fields={fields} sent={{ fields, typed: values, refusal }} known={known} />
      <button class="button">Filter</button>
    </form>
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

/** The names of the fields that show what is wrong with them. */
export function namesWithNotes(fields: FormFields): string[] {
  return Object.keys(fields).filter(
    (name) => !['tick', 'hidden', 'unshown'].includes(fields[name]!.kind ?? 'text'),
  );
}

function returned({ fields, sent }: FieldsProps): SentForm | undefined {
  return sent?.fields === fields ? sent : undefined;
}

/** The inputs of a form: with what was typed, and what was wrong with it, where this form was sent. */
export function Fields({ fields, known = {}, values = {}, ...rest }: FieldsProps): VNode {
  const sent = returned({ fields, ...rest });
  const typed = sent?.typed ?? values;
  return (
    <>
      {Object.entries(fields).map(([name, field]) => (
        <Field name={name} field={{ ...field, ...known[name] }} typed={typed} refusal={sent?.refusal} />
      ))}
    </>
  );
}

interface FieldProps {
  readonly name: string;
  readonly field: FormField;
  readonly typed: Typed;
  readonly refusal: ShownRefusal | undefined;
}

function Field(props: FieldProps): VNode | null {
  const { name, field, typed } = props;
  switch (field.kind) {
    case 'unshown':
      return null;
    case 'hidden':
      return typed[name] === undefined ? null : <input type="hidden" name={name} value={typed[name]} />;
    case 'tick':
      return <Tick name={name} isTicked={typed[name] === 'on'} {...field} />;
    case 'ticks':
      return <Ticks {...props} />;
    case 'second-factor':
      return (
        <div class="stack">
          <LabelledInput {...props} />
          <button type="button" class="button" data-passkey="prove" hidden>
            Use a passkey instead
          </button>
        </div>
      );
    default:
      return <LabelledInput {...props} />;
  }
}

/** An input with its label, hint and what was wrong with it. */
function LabelledInput({ name, field, typed, refusal }: FieldProps): VNode {
  const problems = problemsOf(name, refusal);
  const notes = [
    ...(field.hint === undefined ? [] : [`${name}-hint`]),
    ...(problems.length === 0 ? [] : [`${name}-problem`]),
  ];
  const described = {
    ...(notes.length === 0 ? {} : { 'aria-describedby': notes.join(' ') }),
    ...(problems.length === 0 ? {} : { 'aria-invalid': 'true' as const }),
  };
  return (
    <div class="field">
      <label for={name}>{field.label}</label>
      <Input name={name} field={field} value={typed[name]} described={described} />
      <Hint name={name} hint={field.hint} />
      {problems.length > 0 && (
        <p class="problem" id={`${name}-problem`}>
          {problems.join(' ')}
        </p>
      )}
    </div>
  );
}

interface InputProps {
  readonly name: string;
  readonly field: FormField;
  readonly value: string | undefined;
  readonly described: object;
}

function Input({ name, field, value, described }: InputProps): VNode {
  const { kind = 'text', label: _, hint: __, options = [], ...attributes } = field;
  if (kind === 'lines')
    return (
      <textarea id={name} name={name} rows={3} {...described}>
        {value ?? ''}
      </textarea>
    );
  if (kind === 'choice')
    return (
      <select id={name} name={name} {...described}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    );
  const isSecret = kind === 'password' || kind === 'second-factor';
  const type = kind === 'second-factor' ? 'text' : kind;
  return (
    <input
      id={name}
      name={name}
      {...(attributes as object)}
      value={isSecret ? undefined : value}
      {...described}
      type={type as 'text'}
    />
  );
}

function Ticks({ name, field: { label, options = [] }, typed, refusal }: FieldProps): VNode {
  const problems = problemsOf(name, refusal);
  return (
    <fieldset>
      <legend>{label}</legend>
      {options.map(({ value, ...option }) => (
        <Tick name={value} isTicked={typed[value] === 'on'} {...option} />
      ))}
      {problems.length > 0 && <p class="problem">{problems.join(' ')}</p>}
    </fieldset>
  );
}

type TickProps = Pick<FormField, 'label' | 'hint'> & { name: string; isTicked: boolean };

function Tick({ name, label, hint, isTicked }: TickProps): VNode {
  return (
    <div class="check">
      <input
        id={name}
        name={name}
        type="checkbox"
        checked={isTicked}
        {...(hint === undefined ? {} : { 'aria-describedby': `${name}-hint` })}
      />
      <label for={name}>{label}</label>
      <Hint name={name} hint={hint} />
    </div>
  );
}

function Hint({ name, hint }: { name: string; hint: string | undefined }): VNode | null {
  if (hint === undefined) return null;
  return (
    <p class="note" id={`${name}-hint`}>
      {hint}
    </p>
  );
}

function problemsOf(name: string, refusal: ShownRefusal | undefined): string[] {
  const errors = refusal?.errors.filter(({ field }) => rootOf(field) === name) ?? [];
  return errors.map(({ message }) => message);
}

/** `allowed_ips` of `allowed_ips[2]`. */
function rootOf(field: string): string {
  return field.replace(/[.[].*$/s, '');
}
