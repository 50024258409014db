import type { FetchOptions } from 'openapi-fetch';
import type { components, paths } from '../../../openapi/openapi.js';

export type { paths };
/** The bodies of the API, by their names in its reference. */
export type Schemas = components['schemas'];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths that know the method and answer JSON. */
export type PathWith<M extends Method> = {
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

/** The answer of an operation, without the envelope where it has one. */
export type AnswerOf<Path extends keyof paths, M extends Method> =
  Json<paths[Path][M]> extends { status: 'success'; data: infer Data } ? Data : Json<paths[Path][M]>;

/** Operations whose repetition under the same key creates nothing more. */
type Keyed = { parameters: { header?: { 'Idempotency-Key'?: string } } };
type IsKeyed<Operation> = Operation extends Keyed
  ? Operation extends { parameters: { header?: never } }
    ? false
    : true
  : false;
export type KeyedPath = {
  [Path in keyof paths]: IsKeyed<paths[Path]['post']> extends true ? Path : never;
}[keyof paths];

export interface CallOptions {
  /** Ends the call, and its retries. */
  signal?: AbortSignal;
}
export interface KeyedOptions extends CallOptions {
  /**
   * Your own name of the thing to create, such as the order's number: a repetition under it, also by another process, creates
   * nothing more for 24 hours. A fresh one is made for each call without it.
   */
  idempotencyKey?: string;
}

type Options<Path, M> = M extends 'post'
  ? Path extends KeyedPath
    ? KeyedOptions
    : CallOptions
  : CallOptions;

/** Parameters and body of an operation, and how to call it. */
export type Init<Path extends keyof paths, M extends Method> = Pick<
  FetchOptions<paths[Path][M]>,
  'params' | 'body'
> &
  Options<Path, M>;

/**
 * An argument that may be left out where nothing in it is required. `Given` is a type parameter of its own, since TypeScript
 * would otherwise decide before the path is known.
 */
export type InitArgument<Given> = Record<never, never> extends Given ? [init?: Given] : [init: Given];
