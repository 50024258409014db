import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import { GUARD_FIELDS, RouteMemory } from '../callers/route-markers.js';
import { refuseUnheededKey } from '../idempotency/idempotency-key.js';
import { fieldPath } from '../validation/validation.js';

type RouteArguments = Record<string, { data?: unknown }>;

/**
 * Refuses a query, a body or an idempotency key that the handler takes no note of: validation only sees what a handler declares,
 * and input is never dropped in silence.
 */
export class UndeclaredInput {
  private readonly declared = new RouteMemory(declaredBy);

  refuse(context: ExecutionContext, { query, body }: Request): void {
    const declared = this.declared.get(context);
    refuseUndeclared(query, declared.query);
    refuseUndeclared(body, declared.body);
    refuseUnheededKey(context);
  }
}

/** The names that a handler takes; null for all of it, as a DTO that is validated. */
interface Declared {
  readonly query: Set<string> | null;
  readonly body: Set<string> | null;
}

function declaredBy(context: ExecutionContext): Declared {
  const routeArguments =
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) as
      RouteArguments | undefined) ?? {};
  const ofGuards = (Reflect.getMetadata(GUARD_FIELDS, context.getHandler()) as string[] | undefined) ?? [];
  const namesOf = (kind: RouteParamtypes) => {
    const names = new Set<string>(kind === RouteParamtypes.BODY ? ofGuards : []);
    for (const [key, { data }] of Object.entries(routeArguments)) {
      if (!key.startsWith(`${kind}:`)) continue;
      if (typeof data !== 'string') return null;
      names.add(data);
    }
    return names;
  };
  return { query: namesOf(RouteParamtypes.QUERY), body: namesOf(RouteParamtypes.BODY) };
}

function refuseUndeclared(input: unknown, declared: Set<string> | null): void {
  if (declared === null || typeof input !== 'object' || input === null) return;
  const unknown = Object.keys(input).filter((name) => !declared.has(name));
  if (unknown.length === 0) return;
  const message = 'is not a field of this operation. Leave it out.';
  const errors = unknown
    .slice(0, 100)
    .map((name) => ({ field: fieldPath([name]), rule: 'unknown_field', message }));
  throw new DomainError('invalid', 'unknown_field', `${errors[0]?.field}: ${message}`, errors);
}
