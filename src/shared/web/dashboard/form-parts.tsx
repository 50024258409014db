import { createContext, type ComponentChildren, type VNode } from 'preact';
import type { FormField, FormFields, SubmittedForm, FormErrors, SubmittedFields } from './form-fields.js';
import { FormInput, fieldErrorMessages, rootFieldOf } from './form-inputs.js';
import { buttonClass, type ButtonLook, Card, LinkButton } from './page-parts.js';
import { t, type DisplayText, useTranslator } from './words/text.js';

interface FieldsProps {
  readonly fields: FormFields;
  /** The form that was posted, if any. If it is this form, its typed values are displayed. */
  readonly sent?: SubmittedForm | undefined;
  /** Initial values, by field name. */
  readonly values?: SubmittedFields;
  /** Parts of fields that depend on the request, such as the options of a list. */
  readonly known?: Readonly<Record<string, FormField>>;
}

interface FieldsFormProps extends FieldsProps {
  /** Path that the form posts to; default: the current page. */
  readonly action?: string;
  /** Buttons below the fields. */
  readonly children: ComponentChildren;
}

/** A form with its general error above the fields. */
export function FormWithErrors({ action, children, ...props }: FieldsFormProps): VNode {
  return (
    <>
      <FormErrorNotice refusal={postedFormOf(props)?.refusal} fields={completeFields(props)} />
      <Form action={action} hasFile={Object.values(props.fields).some(({ kind }) => kind === 'file')}>
        <FormInputs {...props} />
        {children}
        {asksForFactor(completeFields(props)) && <PasskeyButton />}
      </Form>
    </>
  );
}

interface FormCardProps extends FieldsProps {
  readonly title?: DisplayText;
  /** Paragraph above the form. */
  readonly note?: DisplayText;
  /** Path that the form posts to; default: the current page. */
  readonly action?: string;
  /** Label of the button that submits the form. */
  readonly button: DisplayText;
  readonly look?: ButtonLook;
  /** Path of the link that leaves the form without a change. */
  readonly cancel?: string;
  /** Content between the note and the form. */
  readonly children?: ComponentChildren;
}

export function FormCard({ title, note, button, look, cancel, children, ...form }: FormCardProps): VNode {
  const words = useTranslator();
  const submit = <button class={buttonClass(look)}>{words(button)}</button>;
  return (
    <Card title={title}>
      {note !== undefined && <p>{words(note)}</p>}
      {children}
      <FormWithErrors {...form}>
        {cancel === undefined ? (
          submit
        ) : (
          <div class="actions">
            {submit}
            <LinkButton href={cancel} label="Cancel" />
          </div>
        )}
      </FormWithErrors>
    </Card>
  );
}

/** True if the signed-in person has a passkey. */
export const HAS_PASSKEY_CONTEXT = createContext(false);

function asksForFactor(fields: FormFields): boolean {
  return Object.values(fields).some(({ kind }) => kind === 'second-factor');
}

/** The script displays this button if the browser supports passkeys. */
export function PasskeyButton(): VNode {
  return (
    <HAS_PASSKEY_CONTEXT.Consumer>
      {(hasPasskey) =>
        hasPasskey && (
          <button type="button" class="button" data-passkey="prove" hidden>
            {t('Use a passkey instead')}
          </button>
        )
      }
    </HAS_PASSKEY_CONTEXT.Consumer>
  );
}

interface FiltersProps {
  /** Path of the list. If absent, there is no link to the unfiltered list. */
  readonly path?: string;
  readonly fields: FormFields;
  readonly values: SubmittedFields;
  readonly refusal?: FormErrors | undefined;
  readonly known?: FieldsProps['known'];
}

/** The filters of a list, as a form that reloads the list. */
export function FilterForm({ path, fields, values, refusal, known = {} }: FiltersProps): VNode {
  const isSet = Object.values(values).some(Boolean);
  return (
    <form method="get" class="filters" action={path}>
      <FormInputs fields={fields} sent={{ fields, typed: values, refusal }} known={known} />
      <div class="actions">
        <button class="button">{t('Filter')}</button>
        {isSet && path !== undefined && <a href={path}>{t('Clear filters')}</a>}
      </div>
    </form>
  );
}

interface FormProps {
  readonly action?: string | undefined;
  /** True if the form contains a file, which requires multipart encoding. */
  readonly hasFile?: boolean;
  readonly children: ComponentChildren;
}

/** A form that posts to the current page unless it has an action. */
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
  readonly refusal: FormErrors | undefined;
  readonly fields?: FormFields;
}

/** Displays the general error of a form. Each field displays its own errors. */
export function FormErrorNotice({ refusal, fields = {} }: RefusalNoticeProps): VNode | null {
  if (refusal === undefined) return null;
  const elsewhere = refusal.errors.filter(({ field }) => !showsProblems(fields[rootFieldOf(field)]));
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

function postedFormOf({ fields, sent }: FieldsProps): SubmittedForm | undefined {
  return sent?.fields === fields ? sent : undefined;
}

/** Returns the fields, completed with their parts that depend on the request. */
function completeFields({ fields, known = {} }: Pick<FieldsProps, 'fields' | 'known'>): FormFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, ...known[name] }]),
  );
}

/**
 * The inputs of a form. If this form was posted, they contain the typed values and errors. Folded fields are open if one
 * of them has a value or an error.
 */
export function FormInputs({ fields, known = {}, values = {}, ...rest }: FieldsProps): VNode {
  const sent = postedFormOf({ fields, ...rest });
  const typed = sent?.typed ?? values;
  const all = Object.entries(completeFields({ fields, known }));
  const folded = all.filter(([, { isFolded }]) => isFolded);
  const isOpen = folded.some(
    ([name, { kind }]) =>
      (kind !== 'choice' && Boolean(typed[name])) || fieldErrorMessages(name, sent?.refusal).length > 0,
  );
  const renderField = ([name, field]: [string, FormField]) => {
    const input = <FormInput name={name} field={field} typed={typed} refusal={sent?.refusal} />;
    return field.onlyFor === undefined ? input : <div class={`only-${field.onlyFor}`}>{input}</div>;
  };
  return (
    <>
      {all.filter(([, { isFolded }]) => !isFolded).map(renderField)}
      {folded.length > 0 && (
        <details class="more" open={isOpen}>
          <summary>{t('More options')}</summary>
          {folded.map(renderField)}
        </details>
      )}
    </>
  );
}
