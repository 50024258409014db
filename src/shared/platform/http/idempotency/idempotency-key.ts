import { createHash } from 'node:crypto';
import { SetMetadata, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { withoutTrailingZeros } from '#shared/kernel/amount.js';
import { canonicalJson } from '#shared/kernel/canonical-json.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import type { IdempotencyKeyUse } from '#shared/kernel/idempotent-creation.js';
import { isDecimalField } from '../validation/field-rules.js';
import { IDEMPOTENT_OPERATION } from '../openapi/operation-headers.js';
import type { RequestWithPrincipal } from '../callers/principal.js';
import { decorateHandler } from '../callers/route-markers.js';

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
export const IDEMPOTENCY_REPLAYED_HEADER = 'Idempotency-Replayed';

const KEYED_ROUTE = 'route:idempotency-key';
const KEY_HEADER = IDEMPOTENCY_KEY_HEADER.toLowerCase();
/** Without spaces, so that a repeated header is rejected: Node joins its values with a comma and a space. */
const KEY_PATTERN = /^[!-~]{1,255}$/;

export interface IdempotentRequest {
  use(): IdempotencyKeyUse;
  markReplayed(): void;
}

const SentKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotentRequest | undefined => {
    const request = context.switchToHttp().getRequest<Request & RequestWithPrincipal>();
    const key = request.headers[KEY_HEADER];
    if (key === undefined) return undefined;
    if (typeof key !== 'string' || !KEY_PATTERN.test(key)) throw malformedKey();
    const response = context.switchToHttp().getResponse<Response>();
    return {
      use: () => toIdempotentExecution(request, key),
      markReplayed: () => void response.setHeader(IDEMPOTENCY_REPLAYED_HEADER, 'true'),
    };
  },
);

/** Undefined without the header. The handler must answer through `IdempotentAnswers`. */
export function IdempotencyKeyParam(): ParameterDecorator {
  return (target, handler, index) => {
    SentKey()(target, handler, index);
    decorateHandler(
      target,
      handler,
      SetMetadata(KEYED_ROUTE, true),
      ApiExtension(IDEMPOTENT_OPERATION, true),
    );
  };
}

/** Rejects the header on a POST route that would ignore it. Other methods are safe to repeat without it. */
export function rejectIgnoredIdempotencyKey(context: ExecutionContext): void {
  const { headers, method } = context.switchToHttp().getRequest<Request>();
  if (headers[KEY_HEADER] === undefined || method !== 'POST') return;
  if (Reflect.getMetadata(KEYED_ROUTE, context.getHandler()) === true) return;
  throw invalidField(
    IDEMPOTENCY_KEY_HEADER,
    'no_idempotency_key',
    'is not supported by this operation. Remove the header.',
  );
}

function malformedKey() {
  return invalidField(
    IDEMPOTENCY_KEY_HEADER,
    'idempotency_key',
    'must be 1 to 255 visible ASCII characters without spaces. Send this header only once per request.',
  );
}

/** Must run after validation, which guarantees that the body is not deeply nested. */
export function toIdempotentExecution(
  request: Request & RequestWithPrincipal,
  key: string,
): IdempotencyKeyUse {
  const { principal, method } = request;
  if (principal === undefined) throw new Error('An idempotency key on a route that proves no caller');
  const { path } = request.route as { path: string };
  const operation = `${method} ${path}`;
  const asked = canonicalJson([operation, lowerCaseParams(request.params), normalizeBody(request.body)]);
  return {
    credentialId: principal.credentialId,
    key,
    operation,
    requestDigest: createHash('sha256').update(asked).digest(),
    executionId: newId(),
    at: principal.at,
  };
}

function lowerCaseParams(params: Request['params']): object {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, String(value).toLowerCase()]),
  );
}

/** Normalizes the body for the digest: omits null fields and removes trailing zeros from amounts. */
function normalizeBody(body: unknown): unknown {
  const one = (name: string, value: unknown) =>
    typeof value === 'string' && isDecimalField(name) ? withoutTrailingZeros(value) : (value ?? undefined);
  return JSON.parse(JSON.stringify(body ?? {}, one));
}
