/** Kinds of Medusa's errors, by which it chooses the status of HTTP. */
export type RefusalKind = 'not_allowed' | 'invalid_data' | 'unexpected_state';

/** Something that this provider does not do, with what to do instead. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** @param message whole sentences without secrets */
  constructor(
    readonly kind: RefusalKind,
    message: string,
  ) {
    super(message);
  }
}
