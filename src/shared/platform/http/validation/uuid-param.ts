import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { notFound } from '#shared/kernel/domain-error.js';
import { isUuid } from '#shared/kernel/ids.js';
import { decorateHandler } from '../callers/route-markers.js';
import { ApiErrors } from '../errors/api-errors.js';

/** A malformed id gets the same answer as a missing record, so use the same noun as the use case. */
export class UuidParam implements PipeTransform<unknown, string> {
  constructor(private readonly what: string) {}

  transform(value: unknown): string {
    if (typeof value !== 'string' || !isUuid(value)) throw notFound(this.what);
    return value.toLowerCase();
  }
}

/** Documents an id in the path whose validation is left to the use case. */
export function ApiPathId(name: string, description: string): MethodDecorator & ClassDecorator {
  return ApiParam({ name, type: String, format: 'uuid', description });
}

/** @param missing noun in the `not_found` message; the same as in the use case */
export function PathId(
  name: string,
  missing: string,
  description = `Id of the ${missing}.`,
): ParameterDecorator {
  return (target, handler, index) => {
    Param(name, new UuidParam(missing))(target, handler, index);
    decorateHandler(target, handler, ApiPathId(name, description), ApiErrors('not_found'));
  };
}
