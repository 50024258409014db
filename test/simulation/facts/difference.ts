import type { Fact } from './fact.js';

/** Something that the service did and that the interface contract does not allow, or did not do and should have. */
export interface Difference {
  /** The rule's name, in words of the interface contract, for example `status allowed by the chain`. */
  readonly rule: string;
  /** The object: a payment request's id, a webhook's, a settlement's. */
  readonly about: string;
  readonly expected: string;
  readonly found: string;
}

/** A model says what the interface contract allows in a history. It knows the service by its facts alone. */
export interface Model {
  /** Takes the next fact. @returns what is wrong with it */
  take(fact: Fact): readonly Difference[];
  /** Called once after the readings that follow a `rest`. @returns what never happened and should have by now */
  missing(): readonly Difference[];
}
