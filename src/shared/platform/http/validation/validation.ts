import { ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { DomainError, type FieldError } from '#shared/kernel/domain-error.js';
import { compileInput, type CompiledInputReader } from './compiled-input.js';
import type { InputClass } from './input-metadata.js';
import { unknownFieldMessage } from './unknown-field.js';

/** Limits the length of the answer to a malicious body with thousands of fields. */
const MAX_ERRORS = 100;

const RULE_NAMES: Record<string, string> = {
  whitelistValidation: 'unknown_field',
  nestedValidation: 'object',
};

/** Omits optional fields that are `null`, because clients in several languages send null for unset fields. */
export class InputPipe extends ValidationPipe {
  private readonly readers = new Map<object, CompiledInputReader | null>();

  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      stopAtFirstError: true,
      // Errors need the target class, because its fields are suggested instead of an unknown one.
      validationError: { target: true },
      transformOptions: { enableImplicitConversion: false },
      exceptionFactory: (errors: ValidationError[]) => toValidationError(errors),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'custom' && metadata.data === undefined) return value;
    const validated: unknown = this.readerFor(metadata)?.(value) ?? (await super.transform(value, metadata));
    if (metadata.type === 'body') removeNulls(validated);
    return validated;
  }

  /** @returns null if only Nest's validation pipe can validate the class */
  private readerFor({ type, metatype }: ArgumentMetadata): CompiledInputReader | null {
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return null;
    let read = this.readers.get(metatype);
    if (read === undefined) {
      read = compileInput(metatype as InputClass);
      this.readers.set(metatype, read);
    }
    return read;
  }
}

/** Removes null fields. After validation, only optional fields can be null. */
function removeNulls(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    if (field === null) Reflect.deleteProperty(value, name);
    else removeNulls(field);
  }
}

function toValidationError(validationErrors: ValidationError[]): DomainError {
  const errors: FieldError[] = [];
  collectErrors(validationErrors, [], errors);
  const [first] = errors;
  const code = errors.every(({ rule }) => rule === 'unknown_field') ? 'unknown_field' : 'validation_failed';
  const others = errors.length > 1 ? ` ${errors.length - 1} more in errors.` : '';
  return new DomainError('invalid', code, `${first?.field}: ${first?.message}${others}`, errors);
}

function collectErrors(
  validationErrors: ValidationError[],
  parents: (string | number)[],
  into: FieldError[],
): void {
  for (const error of validationErrors) {
    if (into.length >= MAX_ERRORS) return;
    const [constraint] = Object.entries(error.constraints ?? {});
    const isIndex = /^\d+$/.test(error.property) && constraint?.[0] !== 'whitelistValidation';
    const path = [...parents, isIndex ? Number(error.property) : error.property];
    if (constraint !== undefined) into.push(toFieldError(fieldPath(path), error, ...constraint));
    collectErrors(error.children ?? [], path, into);
  }
}

function toFieldError(field: string, error: ValidationError, name: string, text: string): FieldError {
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

/** Formats a path such as `order.items[0].amount`. Quotes unusual names and shortens long ones. */
export function fieldPath(segments: readonly (string | number)[]): string {
  let path = '';
  for (const segment of segments) {
    if (typeof segment === 'number') path += `[${segment}]`;
    else if (/^[\w$-]{1,64}$/.test(segment)) path += path === '' ? segment : `.${segment}`;
    else path += `[${JSON.stringify(shortenName(segment))}]`;
  }
  return path;
}

/** True for names that every JavaScript object has. Input with such a name is an attack or a mistake. */
export function isReservedName(name: string): boolean {
  return name in Object.prototype || name === 'prototype';
}

function shortenName(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
