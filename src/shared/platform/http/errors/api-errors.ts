import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from './error-codes.js';

const ERROR_EXTENSION_PREFIX = 'x-error-';

/** Markers, guards and pipes apply this to document the errors they cause. */
export function ApiErrors(...codes: readonly ErrorCode[]): MethodDecorator & ClassDecorator {
  return applyDecorators(...codes.map((code) => ApiExtension(ERROR_EXTENSION_PREFIX + code, true)));
}

export function takeErrorCodes(operation: object): ErrorCode[] {
  const names = Object.keys(operation).filter((name) => name.startsWith(ERROR_EXTENSION_PREFIX));
  for (const name of names) Reflect.deleteProperty(operation, name);
  return names.map((name) => name.slice(ERROR_EXTENSION_PREFIX.length) as ErrorCode);
}
