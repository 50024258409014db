import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Expose, plainToInstance } from 'class-transformer';
import type { Response } from 'express';
import { camelCase, type CamelCase } from '#shared/kernel/text.js';

const EXAMPLE_UUID = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
const EXAMPLE_TIME = '2026-01-31T12:00:00.000Z';

type AnswerFieldArguments =
  [description: string, options?: ApiPropertyOptions] | [options?: ApiPropertyOptions];

export function AnswerField(...args: AnswerFieldArguments): PropertyDecorator {
  return declareField({}, args);
}

export function UuidField(...args: AnswerFieldArguments): PropertyDecorator {
  return declareField({ format: 'uuid', example: EXAMPLE_UUID }, args);
}

export function TimestampField(...args: AnswerFieldArguments): PropertyDecorator {
  return declareField({ format: 'date-time', example: EXAMPLE_TIME }, args);
}

export function CountField(...args: AnswerFieldArguments): PropertyDecorator {
  return declareField({ type: 'integer', minimum: 0 }, args);
}

function declareField(
  defaults: ApiPropertyOptions,
  [first = {}, options = {}]: AnswerFieldArguments,
): PropertyDecorator {
  const { example, ...others } = options;
  const own =
    typeof first === 'string'
      ? { ...others, description: first, ...(example === undefined ? {} : { example: example as unknown }) }
      : first;
  return applyDecorators(ApiProperty({ ...defaults, ...own } as ApiPropertyOptions), Expose());
}

/** Times are Dates in the view. Fields that are optional in the answer may be null in the view. */
type ViewValue<Value> =
  Exclude<Value, null> | (string extends Value ? Date : never) | (undefined extends Value ? null : never);

export type ViewOf<Answer> = {
  readonly [Name in keyof Answer as CamelCase<Name>]: ViewValue<Answer[Name]>;
};

/**
 * Creates an answer from a view. Sends only fields declared with `Field`, and omits null. @param computed values for
 * fields that the view does not have; they may be null
 */
export function answerFromView<Answer extends object, Name extends keyof Answer = never>(
  type: Type<Answer>,
  view: ViewOf<Omit<Answer, Name>>,
  computed?: Pick<Answer, Name>,
): Answer {
  const values = view as Readonly<Record<string, unknown>>;
  const own = (computed ?? {}) as Readonly<Record<string, unknown>>;
  const sent: Record<string, unknown> = {};
  for (const [name, viewName] of fieldsOf(type)) {
    const value = name in own ? own[name] : (values[viewName] ?? undefined);
    if (value !== undefined) sent[name] = value instanceof Date ? value.toISOString() : value;
  }
  return sent as Answer;
}

const fieldsByClass = new Map<Type, readonly (readonly [name: string, viewName: string])[]>();

function fieldsOf(type: Type<object>) {
  let fields = fieldsByClass.get(type);
  if (fields === undefined) {
    // An empty instance lists all declared fields, including those inherited through mapped types.
    const instance = plainToInstance(type, {}, { excludeExtraneousValues: true });
    fields = Object.keys(instance).map((name) => [name, camelCase(name)]);
    fieldsByClass.set(type, fields);
  }
  return fields;
}

export abstract class SelfSendingAnswer {
  abstract sendTo(response: Response): void;
}

const OMITS_ENVELOPE = 'answersRaw';

export function omitEnvelope({ locals }: Response): void {
  locals[OMITS_ENVELOPE] = true;
}

export function wrapInEnvelope({ locals }: Response, data: unknown): unknown {
  return locals[OMITS_ENVELOPE] === true ? data : { status: 'success', data: data ?? null };
}
