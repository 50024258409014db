import 'reflect-metadata';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { PipeTransform } from '@nestjs/common';
import type { VNode } from 'preact';
import { describe, expect, it } from '@jest/globals';
import { invalidField, notFound, RateLimited, stateConflict } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import { UNRENDERED_FIELD, type FormFields, type SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import {
  handleFormSubmission,
  FormBody,
  findSingleMatch,
  requireChosenId,
  requireSingleMatch,
} from './form-body.js';
import { DashboardPageQuery, IsDayOrEmpty, IsEnteredText } from './dashboard-query.js';
import { FiltersPipe } from './list-filters.js';

const FIELDS = {
  name: { label: { name: 'Name' } },
  roles: { kind: 'ticks', label: { name: 'Roles' }, options: [{ value: 'read', label: { name: 'Reads' } }] },
  read: UNRENDERED_FIELD,
} as const;

/** Returns the form as a handler receives it. */
function read(fields: FormFields, body: unknown): Promise<SubmittedForm> {
  class Handler {}
  FormBody(fields)(Handler.prototype, 'post', 0);
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, Handler, 'post') as Record<
    string,
    { pipes: PipeTransform[] }
  >;
  const [{ pipes }] = Object.values(parameters) as [{ pipes: PipeTransform[] }];
  return pipes[0]!.transform(body, { type: 'body' }) as Promise<SubmittedForm>;
}

describe('Reading a posted form', () => {
  it('trims the texts of its fields, except passwords', async () => {
    const fields = { ...FIELDS, secret: { kind: 'password', label: { name: 'Secret' } } } as const;
    expect(await read(fields, { name: ' A\t', read: 'on', secret: ' A ' })).toEqual({
      fields,
      typed: { name: 'A', read: 'on', secret: ' A ' },
    });
    expect((await read(FIELDS, undefined)).typed).toEqual({});
  });

  it('joins the ticked options of a group into the lines of one text', async () => {
    const fields = { assets: { kind: 'many', label: { name: 'Assets' } } } as const;

    const { typed } = await read(fields, { 'assets.n1_s': 'on', 'assets.n1_t0x2.b': 'on' });

    expect(typed).toEqual({ assets: 'n1_s\nn1_t0x2.b' });
    await expect(read(fields, { 'assets.n1_s': 'yes' })).rejects.toMatchObject({ code: 'unknown_field' });
  });

  it.each([
    [{ surprise: '1' }, 'unknown_field'],
    [{ roles: 'read' }, 'unknown_field'],
    [{ name: ['a', 'b'] }, 'validation_failed'],
    [{ name: 1 }, 'validation_failed'],
  ])('rejects an unknown or malformed field: %j, %s', async (body, code) => {
    await expect(read(FIELDS, body)).rejects.toMatchObject({ code });
  });
});

describe('Reading a choice of a filter', () => {
  it('accepts only an id, in any case, and otherwise asks for a choice', () => {
    const id = newId<string>();
    const choose = (text?: string) => requireChosenId('account_id', text, 'your accounts');

    expect(choose(` ${id.toUpperCase()} `)).toBe(id);
    expect(() => choose('branch')).toThrow('your accounts. Choose one of the matches');
    expect(() => choose(' ')).toThrow(/your accounts\.$/);
  });

  const id = newId<string>();
  const found = (...ids: string[]) => ({ items: ids.map((each) => ({ id: each })), total: ids.length });

  it('accepts an id, and a part of a name that matches one thing', () => {
    expect(findSingleMatch('account', ` ${id.toUpperCase()}`, found())).toBe(id);
    expect(findSingleMatch('account', 'shop', found(id))).toBe(id);
    expect(findSingleMatch('account', '', found(id))).toBeUndefined();
    expect(requireSingleMatch('pos', id, found(newId(), id), 'point of sale')).toBe(id);
  });

  it.each([
    [found(), 'choice'],
    [found(newId(), newId()), 'one_of'],
  ])('rejects a name that does not match exactly one: %j', (choices, rule) => {
    expect(() => findSingleMatch('account', 'shop', choices)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'account', rule })] }),
    );
  });
});

describe('Answering a form', () => {
  const form: SubmittedForm = { fields: FIELDS, typed: { name: 'A' } };
  const noPage = () => null as unknown as VNode;

  it.each([
    [400, invalidField('name', 'text', 'is too short.')],
    [409, stateConflict('Later.')],
    [429, new RateLimited(7)],
  ])('shows the form again with the typed values, under status %i', async (status, error) => {
    let again: SubmittedForm | undefined;
    const answer = await handleFormSubmission(
      form,
      (sent) => {
        again = sent;
        return noPage();
      },
      () => Promise.reject(error),
    );

    expect(again).toMatchObject({ ...form, refusal: { message: error.message, errors: error.errors } });
    expect(answer).toMatchObject({ reason: { status } });
  });

  it('throws an error that the user cannot correct', async () => {
    const lost = notFound('link');

    await expect(handleFormSubmission(form, noPage, () => Promise.reject(lost))).rejects.toBe(lost);
  });
});

describe('Reading the filters of a list', () => {
  it('trims their texts', async () => {
    class Filters extends DashboardPageQuery {
      @IsEnteredText() reference?: string;
      @IsDayOrEmpty() from?: string;
    }

    const { query } = await new FiltersPipe(Filters).transform({ reference: ' A-1 ', from: '2030-01-31 ' });

    expect(query).toEqual({ page: 1, reference: 'A-1', from: '2030-01-31' });
  });
});
