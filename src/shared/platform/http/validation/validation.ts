import { ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { DomainError, type FieldError } from '#shared/kernel/domain-error.js';
import { compileInput, type ReadInput } from './compiled-input.js';
import type { InputClass } from './input-metadata.js';
import { unknownFieldMessage } from './unknown-field.js';

/** Enough for any honest mistake; a hostile body of thousands of fields does not get them all back. */
const MAX_ERRORS = 100;

/** Names of class-validator's rules that read oddly in an answer. */
const RULE_NAMES: Record<string, string> = {
  whitelistValidation: 'unknown_field',
  nestedValidation: 'object',
};

/**
 * The global pipe: unknown fields are refused, values are never converted, every refused field is listed. An optional
 * field that is `null` is left out: clients of several languages send it for what they do not set.
 */
export class InputPipe extends ValidationPipe {
  private readonly readers = new Map<object, ReadInput | null>();

  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      stopAtFirstError: true,
      // The fields that a request has are known by its class.
      validationError: { target: true },
      transformOptions: { enableImplicitConversion: false },
      exceptionFactory: (errors: ValidationError[]) => refusedInput(errors),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // What a guard or a decorator of ours has made is no input.
    if (metadata.type === 'custom' && metadata.data === undefined) return value;
    const validated: unknown = this.readerFor(metadata)?.(value) ?? (await super.transform(value, metadata));
    if (metadata.type === 'body') leaveOutNulls(validated);
    return validated;
  }

  /** @returns null where the pipe of Nest reads all by itself */
  private readerFor({ type, metatype }: ArgumentMetadata): ReadInput | null {
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return null;
    let read = this.readers.get(metatype);
    if (read === undefined) {
      read = compileInput(metatype as InputClass);
      this.readers.set(metatype, read);
    }
    return read;
  }
}

/** Where validation has passed, only an optional field can be null. */
function leaveOutNulls(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    if (field === null) Reflect.deleteProperty(value, name);
    else leaveOutNulls(field);
  }
}

/** One error for all refused fields, in the order of the class. */
function refusedInput(validationErrors: ValidationError[]): DomainError {
  const errors: FieldError[] = [];
  collect(validationErrors, [], errors);
  const [first] = errors;
  const code = errors.every(({ rule }) => rule === 'unknown_field') ? 'unknown_field' : 'validation_failed';
  const others = errors.length > 1 ? ` ${errors.length - 1} more in errors.` : '';
  return new DomainError('invalid', code, `${first?.field}: ${first?.message}${others}`, errors);
}

function collect(
  validationErrors: ValidationError[],
  parents: (string | number)[],
  into: FieldError[],
): void {
  for (const error of validationErrors) {
    if (into.length >= MAX_ERRORS) return;
    const [constraint] = Object.entries(error.constraints ?? {});
    const isIndex = /^\d+$/.test(error.property) && constraint?.[0] !== 'whitelistValidation';
    const path = [...parents, isIndex ? Number(error.property) : error.property];
    if (constraint !== undefined) into.push(describe(fieldPath(path), error, ...constraint));
    collect(error.children ?? [], path, into);
  }
}

function describe(field: string, error: ValidationError, name: string, text: string): FieldError {
  if (name === 'whitelistValidation') {
    const message = unknownFieldMessage(error.property, fieldsNotSent(error.target));
    return { field, rule: 'unknown_field', message };
  }
  if (error.value === undefined) return { field, rule: 'required', message: 'is required.' };
  const message = text.startsWith(`${error.property} `) ? text.slice(error.property.length + 1) : text;
  return {
    field,
    rule: RULE_NAMES[name] ?? snakeCase(name),
    message: message.endsWith('.') ? message : `${message}.`,
  };
}

function fieldsNotSent(target: object | undefined): Iterable<string> {
  if (target === undefined) return [];
  const rules = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false);
  const fields = new Set(rules.map(({ propertyName }) => propertyName));
  return [...fields].filter((name) => (target as Record<string, unknown>)[name] === undefined);
}

function snakeCase(name: string): string {
  return name
    .replace(/^is(?=[A-Z])/, '')
    .replace(/(?<!^)[A-Z]/g, '_$&')
    .toLowerCase();
}

const MAX_NAME_LENGTH = 64;

/** Where a field is, as the caller would write it: `order.items[0].amount`; odd names are quoted, long ones cut. */
export function fieldPath(segments: readonly (string | number)[]): string {
  let path = '';
  for (const segment of segments) {
    if (typeof segment === 'number') path += `[${segment}]`;
    else if (/^[\w$-]{1,64}$/.test(segment)) path += path === '' ? segment : `.${segment}`;
    else path += `[${JSON.stringify(cut(segment))}]`;
  }
  return path;
}

/** Names that every JavaScript object answers to: as input they can only be an attack or a mistake. */
export function isReservedName(name: string): boolean {
  return name in Object.prototype || name === 'prototype';
}

function cut(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
