import { getMetadataStorage, ValidationTypes, type ValidationArguments } from 'class-validator';
import { nestedClassOf, transformOf, type InputClass } from './input-metadata.js';

export type CompiledInputReader = (input: unknown) => object | undefined;

type RuleMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type FieldValues = Record<string, unknown>;

interface CompiledField {
  readonly name: string;
  readonly read: (value: unknown) => unknown;
  readonly holds: (object: object, value: unknown) => boolean;
}

const NEEDS_PIPE = Symbol('refused');
const SUPPORTED_RULES: ReadonlySet<string> = new Set([
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
  ValidationTypes.CONDITIONAL_VALIDATION,
]);

/**
 * Compiles rules for speed. Anything invalid or unusual goes to the validation pipe, which writes the error messages.
 * @returns null for unsupported rules
 */
export function compileInput(type: InputClass): CompiledInputReader | null {
  const byField = new Map<string, RuleMetadata[]>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(type, type.name, false, false)) {
    const { propertyName, validateIf, groups } = metadata;
    if (!SUPPORTED_RULES.has(metadata.type) || validateIf !== undefined || (groups ?? []).length > 0)
      return null;
    byField.set(propertyName, [...(byField.get(propertyName) ?? []), metadata]);
  }
  const fields = new Map<string, CompiledField>();
  for (const [name, metadatas] of byField) {
    const field = compileField(type, name, metadatas);
    if (field === null) return null;
    fields.set(name, field);
  }
  return fields.size === 0 ? null : (input) => readObject(type, fields, input);
}

function readObject(
  type: InputClass,
  fields: ReadonlyMap<string, CompiledField>,
  input: unknown,
): object | undefined {
  if (!isPlainObject(input)) return undefined;
  const object = new type() as FieldValues;
  for (const name of Object.keys(input)) {
    const value = fields.get(name)?.read(input[name]) ?? null;
    if (value === NEEDS_PIPE || !fields.has(name)) return undefined;
    object[name] = value;
  }
  for (const { name, holds } of fields.values()) if (!holds(object, object[name])) return undefined;
  return object;
}

function compileField(
  type: InputClass,
  name: string,
  metadatas: readonly RuleMetadata[],
): CompiledField | null {
  const of = (kind: string) => metadatas.filter((metadata) => metadata.type === kind);
  const conditions = of(ValidationTypes.CONDITIONAL_VALIDATION).map(
    ({ constraints }) => constraints[0] as (object: object, value: unknown) => boolean,
  );
  const rules = of(ValidationTypes.CUSTOM_VALIDATION).map((metadata) => compileRule(type, metadata));
  const nested = of(ValidationTypes.NESTED_VALIDATION);
  const read = nested.length === 0 ? readerOf(type, name) : nestedReaderOf(type, name, nested);
  if (read === null || rules.includes(null)) return null;
  return {
    name,
    read,
    holds: (object, value) =>
      conditions.some((applies) => !applies(object, value)) || rules.every((rule) => rule!(object, value)),
  };
}

/** @returns null for an asynchronous rule, which is not supported */
function compileRule(
  type: InputClass,
  { constraintCls, constraints, each, propertyName: property }: RuleMetadata,
): ((object: object, value: unknown) => boolean) | null {
  const validators = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  if (validators.some(({ async }) => async)) return null;
  const instances = validators.map(({ instance }) => instance);
  return (object, value) => {
    const about: ValidationArguments = { targetName: type.name, property, object, value, constraints };
    const values = each && Array.isArray(value) ? (value as unknown[]) : [value];
    return instances.every((validator) => values.every((one) => validator.validate(one, about) === true));
  };
}

/** Nested objects are left to class-transformer. */
function readerOf(type: InputClass, name: string): CompiledField['read'] {
  const transform = transformOf(type, name);
  if (transform !== undefined) return (value) => (isScalar(value) ? transform(value) : NEEDS_PIPE);
  return (value) => {
    if (isScalar(value)) return value;
    return Array.isArray(value) && value.every(isScalar) ? [...(value as unknown[])] : NEEDS_PIPE;
  };
}

function nestedReaderOf(
  type: InputClass,
  name: string,
  nested: readonly RuleMetadata[],
): CompiledField['read'] | null {
  const part = nestedClassOf(type, name);
  const read = part === undefined ? null : compileInput(part);
  if (read === null) return null;
  const isList = nested.some(({ each }) => each);
  return (value) => {
    if (value === null) return null;
    if (!isList) return read(value) ?? NEEDS_PIPE;
    if (!Array.isArray(value)) return NEEDS_PIPE;
    const parts = value.map(read);
    return parts.includes(undefined) ? NEEDS_PIPE : parts;
  };
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isPlainObject(value: unknown): value is FieldValues {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
