import type { VNode } from 'preact';
import {
  type SelectOption,
  type FormField,
  type FormErrors,
  checkboxName,
  type SubmittedFields,
} from './form-fields.js';
import { NOT_CORRECTED } from '../parts/detail-item.js';
import { useTranslator } from './words/text.js';

interface FieldProps {
  readonly name: string;
  readonly field: FormField;
  readonly typed: SubmittedFields;
  readonly refusal: FormErrors | undefined;
}

export function FormInput(props: FieldProps): VNode | null {
  const { name, field, typed } = props;
  switch (field.kind) {
    case 'unshown':
      return null;
    case 'hidden':
      return typed[name] === undefined ? null : <input type="hidden" name={name} value={typed[name]} />;
    case 'tick':
      return <Tick name={name} isTicked={typed[name] === 'on'} {...field} />;
    case 'ticks':
      return <Ticks {...props} ticks={ticksOf(field, (value) => [value, typed[value] === 'on'])} />;
    case 'many': {
      const ticked = new Set((typed[name] ?? '').split(/\s+/));
      return (
        <Ticks {...props} ticks={ticksOf(field, (value) => [checkboxName(name, value), ticked.has(value)])} />
      );
    }
    default:
      return <LabelledInput {...props} />;
  }
}

function LabelledInput({ name, field, typed, refusal }: FieldProps): VNode {
  const words = useTranslator();
  const problems = fieldErrorMessages(name, refusal);
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
      <label for={name}>{field.label && words(field.label)}</label>
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
  const words = useTranslator();
  const {
    kind = 'text',
    label: _,
    hint: __,
    exact: ___,
    isFolded: ____,
    onlyFor: _____,
    options = [],
    ...attributes
  } = field;
  const typing = isExact(field) ? NOT_CORRECTED : {};
  if (kind === 'lines')
    return (
      <textarea id={name} name={name} rows={3} {...typing} {...described}>
        {value ?? ''}
      </textarea>
    );
  if (kind === 'choice')
    return (
      <select id={name} name={name} {...described}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {words(option.label)}
          </option>
        ))}
      </select>
    );
  const isNotRepeated = kind === 'password' || kind === 'second-factor' || kind === 'file';
  const type = kind === 'second-factor' ? 'text' : kind;
  const suggested = options.length === 0 ? {} : { list: `${name}-list` };
  return (
    <>
      <input
        id={name}
        name={name}
        {...(attributes as object)}
        {...suggested}
        {...typing}
        value={isNotRepeated ? undefined : value}
        {...described}
        type={type as 'text'}
      />
      {options.length > 0 && (
        <datalist id={`${name}-list`}>
          {options.map((option) => (
            <option value={option.value} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Phones must not correct origins, IP addresses, codes or time zones. */
function isExact({ kind = 'text', exact, inputmode, options = [] }: FormField): boolean {
  const kinds = ['email', 'url', 'lines', 'second-factor'];
  return exact === true || inputmode !== undefined || options.length > 0 || kinds.includes(kind);
}

function ticksOf({ options = [] }: FormField, of: (value: string) => [name: string, isTicked: boolean]) {
  return options.map(({ value, ...option }: SelectOption): TickProps => {
    const [name, isTicked] = of(value);
    return { name, isTicked, ...option };
  });
}

function Ticks({ name, field, refusal, ticks }: FieldProps & { ticks: readonly TickProps[] }): VNode {
  const words = useTranslator();
  const problems = fieldErrorMessages(name, refusal);
  return (
    <fieldset>
      <legend>{field.label && words(field.label)}</legend>
      {ticks.map((tick) => (
        <Tick {...tick} />
      ))}
      {problems.length > 0 && <p class="problem">{problems.join(' ')}</p>}
    </fieldset>
  );
}

type TickProps = Pick<FormField, 'label' | 'hint'> & { name: string; isTicked: boolean };

function Tick({ name, label, hint, isTicked }: TickProps): VNode {
  const words = useTranslator();
  return (
    <div class="check">
      <input
        id={name}
        name={name}
        type="checkbox"
        checked={isTicked}
        {...(hint === undefined ? {} : { 'aria-describedby': `${name}-hint` })}
      />
      <label for={name}>{label && words(label)}</label>
      <Hint name={name} hint={hint} />
    </div>
  );
}

function Hint({ name, hint }: { name: string; hint: FormField['hint'] }): VNode | null {
  const words = useTranslator();
  if (hint === undefined) return null;
  return (
    <p class="note" id={`${name}-hint`}>
      {words(hint)}
    </p>
  );
}

export function fieldErrorMessages(name: string, refusal: FormErrors | undefined): string[] {
  const errors = refusal?.errors.filter(({ field }) => rootFieldOf(field) === name) ?? [];
  return errors.map(({ message }) => message);
}

/** Returns the form field that an error belongs to: `allowed_ips` for `allowed_ips[2]`. */
export function rootFieldOf(field: string): string {
  return field.replace(/[.[].*$/s, '');
}
