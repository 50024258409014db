export type InputClass = new () => object;

const NESTED_CLASS = 'input:nested-class';
const TRANSFORM = 'input:transform';

/** Stores the class of a nested object, because class-transformer has no documented API to read it. */
export function storeNestedClass(type: () => InputClass): PropertyDecorator {
  return Reflect.metadata(NESTED_CLASS, type) as PropertyDecorator;
}

export function storeTransform(transform: (value: unknown) => unknown): PropertyDecorator {
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
