import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, ValidateNested } from 'class-validator';
import {
  type FieldRuleArguments,
  type FieldRuleOptions,
  openApiPropertyDecorators,
  fieldRuleOptionsOf,
} from './field-rules.js';
import { storeNestedClass, type InputClass } from './input-metadata.js';

/** Swagger recognizes a class that is resolved later by a function named `type`. */
type ClassOf = () => InputClass;

/** class-validator alone would also accept a list of such objects, or none. */
export function IsNestedObject(type: ClassOf, ...args: FieldRuleArguments): PropertyDecorator {
  return applyDecorators(
    IsObject({ message: 'must be an object.' }),
    ValidateNested(),
    Type(type),
    storeNestedClass(type),
    ...openApiPropertyDecorators({ type: () => type() }, fieldRuleOptionsOf(args)),
  );
}

export interface NestedListOptions extends FieldRuleOptions {
  /** Minimum number of items; default: 1. */
  minItems?: number;
  maxItems: number;
}

export function IsNestedList(
  type: ClassOf,
  ...args: FieldRuleArguments<NestedListOptions>
): PropertyDecorator {
  const { minItems = 1, maxItems, ...options } = fieldRuleOptionsOf(args);
  return applyDecorators(
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
    storeNestedClass(type),
    ...openApiPropertyDecorators({ type: () => type(), isArray: true, minItems, maxItems }, options),
  );
}
