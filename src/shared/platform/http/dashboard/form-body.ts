import { Body, type PipeTransform } from '@nestjs/common';
import type { VNode } from 'preact';
import { invalidField } from '#shared/kernel/domain-error.js';
import { isUuid } from '#shared/kernel/ids.js';
import type { Choices } from '#shared/kernel/page.js';
import {
  checkboxName,
  type FormFields,
  type SubmittedForm,
  type SubmittedFields,
} from '#shared/web/dashboard/form-fields.js';
import type { SelfSendingAnswer } from '../answers/answer.js';
import { IsAnyText } from '../validation/field-rules.js';
import { InputPipe } from '../validation/validation.js';
import { showPage } from './dashboard-answer.js';
import type { DashboardUser } from './dashboard-user.js';
import { toFormRefusal } from './form-refusal.js';
import { IsEnteredText } from './dashboard-query.js';

const pipe = new InputPipe();

/** Values are validated later, so that an invalid form can be displayed again with all its values. */
export const FormBody = (fields: FormFields): ParameterDecorator => Body(new FormPipe(fields));

class FormPipe implements PipeTransform {
  private readonly rules: new () => SubmittedFields = class {};
  private readonly groups: readonly string[];

  constructor(private readonly fields: FormFields) {
    for (const [name, { kind }] of Object.entries(fields))
      if (kind !== 'ticks' && kind !== 'file') textRuleFor(kind)(this.rules.prototype as object, name);
    this.groups = Object.keys(fields).filter((name) => fields[name]!.kind === 'many');
  }

  async transform(body: unknown): Promise<SubmittedForm> {
    const gathered = this.groups.length === 0 ? body : joinTickedValues(body, this.groups);
    const typed = (await pipe.transform(gathered, { type: 'body', metatype: this.rules })) as
      SubmittedFields | undefined;
    return { fields: this.fields, typed: { ...typed } };
  }
}

/** Passwords are not trimmed, because white space in a password is significant. */
function textRuleFor(kind: FormFields[string]['kind']): PropertyDecorator {
  return kind === 'password' ? IsAnyText({ optional: true }) : IsEnteredText();
}

function joinTickedValues(body: unknown, groups: readonly string[]): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const gathered: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) {
    const group = groups.find((name) => key.startsWith(checkboxName(name, '')));
    // Other values of a checkbox stay in the form and are rejected as an unknown field.
    if (group === undefined || value !== 'on') gathered[key] = value;
    else gathered[group] = [gathered[group], key.slice(group.length + 1)].filter(Boolean).join('\n');
  }
  return gathered;
}

/** If the person can correct the error, displays the form again with all typed values. */
export async function handleFormSubmission(
  form: SubmittedForm,
  again: (form: SubmittedForm) => VNode | Promise<VNode>,
  act: () => Promise<SelfSendingAnswer>,
): Promise<SelfSendingAnswer> {
  try {
    return await act();
  } catch (error) {
    const refusal = toFormRefusal(error);
    return showPage(await again({ ...form, refusal }), refusal);
  }
}

/** Applies the rules of the corresponding API request. Must be called within `handleFormSubmission`. */
export async function validateForm<Rules extends object>(
  rules: new () => Rules,
  typed: Rules,
): Promise<Rules> {
  return (await pipe.transform({ ...typed }, { type: 'body', metatype: rules })) as Rules;
}

export function trimmedOrUndefined(text = ''): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

export function splitEntries(text = ''): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}

/**
 * Rejects a partial name, so that the form displays the matching items. @param among end of the error "must be one
 * of"
 */
export function requireChosenId<Id extends string>(
  field: string,
  text: string | undefined,
  among: string,
): Id {
  const typed = trimmedOrUndefined(text);
  if (typed !== undefined && isUuid(typed)) return typed.toLowerCase() as Id;
  const next = typed === undefined ? '' : ' Choose one of the matches, or type another part of the name.';
  throw invalidField(field, field.replace(/_id$/, ''), `must be one of ${among}.${next}`);
}

/**
 * @param what type of the items for the error, such as `point of sale` @throws DomainError on the field unless
 * exactly one item matches
 */
export function requireSingleMatch<Id extends string>(
  field: string,
  typed: string,
  { items, total }: Choices<{ readonly id: Id }>,
  what: string,
): Id {
  const id = typed.trim().toLowerCase();
  const only = items.find((item) => item.id === id) ?? (total === 1 ? items[0] : undefined);
  if (only !== undefined) return only.id;
  const [rule, sentence] =
    items.length === 0
      ? ['choice', `matches no ${what}: ${typed}`]
      : ['one_of', `matches several: choose one, or type more of the name.`];
  throw invalidField(field, rule!, sentence!);
}

/** @returns undefined for blank text */
export function findSingleMatch<Id extends string>(
  field: string,
  text: string | undefined,
  found: Choices<{ readonly id: Id }>,
): string | undefined {
  const typed = trimmedOrUndefined(text);
  return typed === undefined || isUuid(typed)
    ? typed?.toLowerCase()
    : requireSingleMatch(field, typed, found, field);
}

export function requireTypedName({ confirmation = '' }: SubmittedFields, name: string, what: string): void {
  if (confirmation.trim() !== name)
    throw invalidField('confirmation', 'confirmation', `must be the name of the ${what}: ${name}`);
}

export function auditActorOf({ email, address }: DashboardUser): { actor: string; address: string } {
  return { actor: email, address };
}
