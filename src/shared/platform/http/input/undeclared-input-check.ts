import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { RequestWithPrincipal } from '../callers/principal.js';
import {
  DEVICE_ALLOWED_FIELDS,
  GUARD_FIELDS,
  RouteCache,
  type DeviceAllowedFields,
} from '../callers/route-markers.js';
import { rejectIgnoredIdempotencyKey } from '../idempotency/idempotency-key.js';
import { unknownFieldMessage } from '../validation/unknown-field.js';
import { fieldPath } from '../validation/validation.js';

type RouteArguments = Record<string, { data?: unknown }>;

export class UndeclaredInputCheck {
  private readonly declared = new RouteCache(readDeclaredInput);

  refuse(context: ExecutionContext, { query, body, principal }: Request & RequestWithPrincipal): void {
    const declared = this.declared.get(context);
    refuseUndeclared(query, declared.query);
    refuseUndeclared(body, declared.body);
    if (principal?.pointOfSaleId != null) rejectDeviceFields(body, declared.ofDevices);
    rejectIgnoredIdempotencyKey(context);
  }
}

/** Null if the handler takes the complete object as a DTO, whose validation rejects unknown names. */
interface DeclaredInput {
  readonly query: Set<string> | null;
  readonly body: Set<string> | null;
  readonly ofDevices: DeviceAllowedFields | undefined;
}

function readDeclaredInput(context: ExecutionContext): DeclaredInput {
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
  const ofDevices = Reflect.getMetadata(DEVICE_ALLOWED_FIELDS, context.getHandler()) as
    DeviceAllowedFields | undefined;
  return { query: namesOf(RouteParamtypes.QUERY), body: namesOf(RouteParamtypes.BODY), ofDevices };
}

function rejectDeviceFields(body: unknown, allowed: DeviceAllowedFields | undefined): void {
  if (allowed === undefined || typeof body !== 'object' || body === null) return;
  refuseUndeclared(body, new Set(Object.keys(allowed)));
  for (const [name, fields] of Object.entries(allowed))
    if (fields !== true) refuseUndeclared((body as Record<string, unknown>)[name], new Set(fields), name);
}

function refuseUndeclared(input: unknown, declared: Set<string> | null, ...parents: string[]): void {
  if (declared === null || typeof input !== 'object' || input === null) return;
  const unknown = Object.keys(input).filter((name) => !declared.has(name));
  if (unknown.length === 0) return;
  const notSent = [...declared].filter((name) => !(name in input));
  const errors = unknown.slice(0, 100).map((name) => ({
    field: fieldPath([...parents, name]),
    rule: 'unknown_field',
    message: unknownFieldMessage(name, notSent),
  }));
  throw new DomainError('invalid', 'unknown_field', `${errors[0]?.field}: ${errors[0]?.message}`, errors);
}
