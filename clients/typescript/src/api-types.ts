import type { FetchOptions } from 'openapi-fetch';
import type { components, paths } from '../../../openapi/openapi.js';

export type { paths };
/** Request and response bodies, by their names in the API reference. */
export type Schemas = components['schemas'];

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths that support the method and return JSON. */
export type PathWith<M extends HttpMethod> = {
  [Path in keyof paths]: paths[Path] extends Record<
    M,
    { responses: { 200: { content: { 'application/json': unknown } } } }
  >
    ? Path
    : never;
}[keyof paths];

type Json<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

/** Response body of an operation, without the `{status, data}` envelope. */
export type AnswerOf<Path extends keyof paths, M extends HttpMethod> =
  Json<paths[Path][M]> extends { status: 'success'; data: infer Data } ? Data : Json<paths[Path][M]>;

/** Operations that accept an `Idempotency-Key`. */
type Keyed = { parameters: { header?: { 'Idempotency-Key'?: string } } };
type IsKeyed<Operation> = Operation extends Keyed
  ? Operation extends { parameters: { header?: never } }
    ? false
    : true
  : false;
export type IdempotencyKeyPath = {
  [Path in keyof paths]: IsKeyed<paths[Path]['post']> extends true ? Path : never;
}[keyof paths];

export interface CallOptions {
  /** Aborts the call, including its retries. */
  signal?: AbortSignal;
}
export interface KeyedOptions extends CallOptions {
  /**
   * Idempotency key, such as the order number. For 24 hours, repeating the call with the same key returns the existing object
   * instead of creating another one, even from another process. Default: a new UUID for each call.
   */
  idempotencyKey?: string;
}

type Options<Path, M> = M extends 'post'
  ? Path extends IdempotencyKeyPath
    ? KeyedOptions
    : CallOptions
  : CallOptions;

/** Parameters, body and call options of an operation. */
export type Init<Path extends keyof paths, M extends HttpMethod> = Pick<
  FetchOptions<paths[Path][M]>,
  'params' | 'body'
> &
  Options<Path, M>;

/**
 * Argument that is optional if none of its fields is required. `Given` is a separate type parameter, because TypeScript would
 * otherwise resolve the condition before the path is known.
 */
export type InitArgument<Given> = Record<never, never> extends Given ? [init?: Given] : [init: Given];
