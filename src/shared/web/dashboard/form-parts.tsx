import type { ComponentChildren, VNode } from 'preact';
import type { FormField, FormFields, SentForm, ShownRefusal, Typed } from './form-fields.js';
import { Field, rootOf } from './form-inputs.js';

interface FieldsProps {
  readonly fields: FormFields;
  /** The form that was sent last; shown with what was typed where it is this one. */
  readonly sent?: SentForm | undefined;
  /** The fields hold these before anything was typed. */
  readonly values?: Typed;
  /** Only the request knows these parts of fields: options, or a hint with an address. */
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
      <RefusalNotice refusal={returned(props)?.refusal} fields={shownFields(props)} />
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

interface RefusalNoticeProps {
  readonly refusal: ShownRefusal | undefined;
  /** The fields beside it. */
  readonly fields?: FormFields;
}

/** Shows what was wrong with a form as a whole; each field shows what was wrong with it. */
export function RefusalNotice({ refusal, fields = {} }: RefusalNoticeProps): VNode | null {
  if (refusal === undefined) return null;
  const elsewhere = refusal.errors.filter(({ field }) => !showsProblems(fields[rootOf(field)]));
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

function showsProblems(field: FormField | undefined): boolean {
  return field !== undefined && !['tick', 'hidden', 'unshown'].includes(field.kind ?? 'text');
}

function returned({ fields, sent }: FieldsProps): SentForm | undefined {
  return sent?.fields === fields ? sent : undefined;
}

/** The fields of the list with what only the request knows. */
function shownFields({ fields, known = {} }: Pick<FieldsProps, 'fields' | 'known'>): FormFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, ...known[name] }]),
  );
}

/** The inputs of a form: with what was typed, and what was wrong with it, where this form was sent. */
export function Fields({ fields, known = {}, values = {}, ...rest }: FieldsProps): VNode {
  const sent = returned({ fields, ...rest });
  const typed = sent?.typed ?? values;
  return (
    <>
      {Object.entries(shownFields({ fields, known })).map(([name, field]) => (
        <Field name={name} field={field} typed={typed} refusal={sent?.refusal} />
      ))}
    </>
  );
}
