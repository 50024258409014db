/** Kind of a rejection. Adapters derive the error of their shop from it. */
export type RefusalKind = 'not_allowed' | 'invalid_data' | 'unexpected_state';

/** Rejected operation. The message says what to do instead. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** @param message complete sentences without secrets */
  constructor(
    readonly kind: RefusalKind,
    message: string,
  ) {
    super(message);
  }
}
