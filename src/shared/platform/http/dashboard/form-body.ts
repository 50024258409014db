import { Body, type PipeTransform } from '@nestjs/common';
import type { VNode } from 'preact';
import { invalidField } from '#shared/kernel/domain-error.js';
import { isUuid } from '#shared/kernel/ids.js';
import type { FormFields, SentForm, Typed } from '#shared/web/dashboard/form-fields.js';
import type { SelfSent } from '../answers/self-sent.js';
import { InputPipe } from '../validation/validation.js';
import { showPage } from './dashboard-answer.js';
import type { DashboardVisitor } from './dashboard-visitor.js';
import { refusalIn } from './form-refusal.js';
import { TypedText } from './dashboard-query.js';

const pipe = new InputPipe();

/**
 * The handler gets the form that was posted. A field that is not in the list is refused; texts are judged later, so that the
 * form can be shown again with all of them.
 */
export const FormBody = (fields: FormFields): ParameterDecorator => Body(new FormPipe(fields));

class FormPipe implements PipeTransform {
  private readonly rules: new () => Typed = class {};

  constructor(private readonly fields: FormFields) {
    for (const [name, { kind }] of Object.entries(fields))
      if (kind !== 'ticks') TypedText()(this.rules.prototype as object, name);
  }

  async transform(body: unknown): Promise<SentForm> {
    const typed = (await pipe.transform(body, { type: 'body', metatype: this.rules })) as Typed | undefined;
    return { fields: this.fields, typed: { ...typed } };
  }
}

/** Does what a form asks for. A refusal that the person can mend shows the form again, with all that they typed. */
export async function answerForm(
  form: SentForm,
  again: (form: SentForm) => VNode | Promise<VNode>,
  act: () => Promise<SelfSent>,
): Promise<SelfSent> {
  try {
    return await act();
  } catch (error) {
    const refusal = refusalIn(error);
    return showPage(await again({ ...form, refusal }), refusal);
  }
}

/**
 * Judges a form by the rules of the API's own body, so that both refuse the same in the same words. Call it within
 * `answerForm`. @throws validation_failed naming the fields
 */
export async function judged<Rules extends object>(rules: new () => Rules, typed: Rules): Promise<Rules> {
  return (await pipe.transform({ ...typed }, { type: 'body', metatype: rules })) as Rules;
}

/** Without white space around it; undefined where nothing else is typed. */
export function filled(text = ''): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

/** Entries that stand one on each line, or are divided by commas. */
export function entriesOf(text = ''): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}

/** The id of a choice. @param among completes "must be one of", e.g. `the accounts` @throws DomainError on the field */
export function chosenId<Id extends string>(field: string, text: string | undefined, among: string): Id {
  if (text !== undefined && isUuid(text)) return text as Id;
  throw invalidField(field, field.replace(/_id$/, ''), `must be one of ${among}.`);
}

/** A thing is deleted once its name is typed again. @throws DomainError on `confirmation` */
export function demandConfirmation({ confirmation = '' }: Typed, name: string, what: string): void {
  if (confirmation.trim() !== name)
    throw invalidField('confirmation', 'confirmation', `must be the name of the ${what}: ${name}`);
}

/** The person and where they are, as the audit log records who has changed something. */
export function actedBy({ email, address }: DashboardVisitor): { actor: string; address: string } {
  return { actor: email, address };
}
