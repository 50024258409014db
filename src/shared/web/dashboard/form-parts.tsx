import { createContext, type ComponentChildren, type VNode } from 'preact';
import type { FormField, FormFields, SentForm, ShownRefusal, Typed } from './form-fields.js';
import { Field, rootOf } from './form-inputs.js';
import { t } from './words/text.js';

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
      <Form action={action} hasFile={Object.values(props.fields).some(({ kind }) => kind === 'file')}>
        <Fields {...props} />
        {children}
        {asksForFactor(shownFields(props)) && <PasskeyButton />}
      </Form>
    </>
  );
}

/** True in the pages of a person who has a passkey. */
export const HasPasskey = createContext(false);

function asksForFactor(fields: FormFields): boolean {
  return Object.values(fields).some(({ kind }) => kind === 'second-factor');
}

/** Shown by the page's script where the browser knows passkeys; below the button that takes what was typed. */
export function PasskeyButton(): VNode {
  return (
    <HasPasskey.Consumer>
      {(hasPasskey) =>
        hasPasskey && (
          <button type="button" class="button" data-passkey="prove" hidden>
            {t('Use a passkey instead')}
          </button>
        )
      }
    </HasPasskey.Consumer>
  );
}

interface FiltersProps {
  /** The path of the list; without one nothing leads to the list without filters. */
  readonly path?: string;
  readonly fields: FormFields;
  readonly values: Typed;
  readonly refusal?: ShownRefusal | undefined;
  readonly known?: FieldsProps['known'];
}

/** The filters of a list, as a form that shows the list again. */
export function Filters({ path, fields, values, refusal, known = {} }: FiltersProps): VNode {
  const isSet = Object.values(values).some(Boolean);
  return (
    <form method="get" class="filters">
      <Fields fields={fields} sent={{ fields, typed: values, refusal }} known={known} />
      <div class="actions">
        <button class="button">{t('Filter')}</button>
        {isSet && path !== undefined && <a href={path}>{t('Clear filters')}</a>}
      </div>
    </form>
  );
}

interface FormProps {
  readonly action?: string | undefined;
  /** A form with a file is sent in a coding of its own. */
  readonly hasFile?: boolean;
  readonly children: ComponentChildren;
}

/** A form that posts to its own page unless it has an action. */
export function Form({ action, hasFile = false, children }: FormProps): VNode {
  return (
    <form
      method="post"
      class="stack"
      {...(action === undefined ? {} : { action })}
      {...(hasFile ? { enctype: 'multipart/form-data' } : {})}
    >
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
        <p>{t('Check the highlighted fields.')}</p>
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
