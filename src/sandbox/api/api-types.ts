import type { components, operations } from '../../../openapi/openapi.js';

/** A body of the public API, by its name in `openapi/openapi.json`. */
export type Body<Name extends keyof components['schemas']> = components['schemas'][Name];

type Json<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Answer } } };
}
  ? Answer
  : never;

/** The answer of an operation, without the envelope where it has one. */
export type AnswerOf<Operation extends keyof operations> =
  Json<Operation> extends { status: 'success'; data: infer Data } ? Data : Json<Operation>;
