/** A class whose fields have rules. */
export type InputClass = new () => object;

const NESTED_CLASS = 'input:nested-class';
const TRANSFORM = 'input:transform';

/** Notes the class of a field's parts: class-transformer knows it, and has no documented way to ask. */
export function isOfClass(type: () => InputClass): PropertyDecorator {
  return Reflect.metadata(NESTED_CLASS, type) as PropertyDecorator;
}

/** Notes what a value is turned into before its rules are applied, likewise. */
export function isTransformedBy(transform: (value: unknown) => unknown): PropertyDecorator {
  return Reflect.metadata(TRANSFORM, transform) as PropertyDecorator;
}

export function nestedClassOf(type: InputClass, field: string): InputClass | undefined {
  return (
    Reflect.getMetadata(NESTED_CLASS, type.prototype as object, field) as (() => InputClass) | undefined
  )?.();
}

export function transformOf(type: InputClass, field: string): ((value: unknown) => unknown) | undefined {
  return Reflect.getMetadata(TRANSFORM, type.prototype as object, field) as
    ((value: unknown) => unknown) | undefined;
}
