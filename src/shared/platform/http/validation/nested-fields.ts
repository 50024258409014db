import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, ValidateNested } from 'class-validator';
import { type FieldOptions, documented } from './field-rules.js';
import { isOfClass, type InputClass } from './input-metadata.js';

/** Wrapped again below: swagger knows a late-bound class by a function that is named `type`. */
type ClassOf = () => InputClass;

/** An object with rules of its own. Alone, class-validator would take a list of such objects too, and a missing one. */
export function Nested(type: ClassOf, options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    IsObject({ message: 'must be an object.' }),
    ValidateNested(),
    Type(type),
    isOfClass(type),
    ...documented({ type: () => type() }, options),
  );
}

export interface NestedListOptions extends FieldOptions {
  /** 1 unless set. */
  minItems?: number;
  maxItems: number;
}

/** A list of objects with rules of their own. */
export function NestedList(
  type: ClassOf,
  { minItems = 1, maxItems, ...options }: NestedListOptions,
): PropertyDecorator {
  return applyDecorators(
    // The first rule that fails is the one reported.
    IsArray({ message: 'must be a list.' }),
    ArrayMinSize(minItems, {
      message: `must have at least ${minItems} ${minItems === 1 ? 'item' : 'items'}.`,
    }),
    ArrayMaxSize(maxItems, {
      message: `must have at most ${maxItems} ${maxItems === 1 ? 'item' : 'items'}.`,
    }),
    IsObject({ each: true, message: 'must be a list of objects.' }),
    ValidateNested({ each: true }),
    Type(type),
    isOfClass(type),
    ...documented({ type: () => type(), isArray: true, minItems, maxItems }, options),
  );
}
