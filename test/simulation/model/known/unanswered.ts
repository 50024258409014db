import { organizationOf, type Heard } from '../exchange/heard.js';
import { KEY_KEPT_MS, scopeOf } from '../exchange/idempotency.js';
import type { Json } from './values.js';

/** A creation that may have been carried out though nobody was told. */
export interface UnansweredCreation {
  readonly kind: string;
  readonly parent: string;
  readonly organizationId: string | null;
  readonly body: Json;
  /** Under one key, all deliveries together make one object at most. */
  readonly key: string | undefined;
  readonly sentAt: number;
  readonly at: number;
}

/** Creations without an answer. Each explains one object that shows up later. */
export class Unanswered {
  private all: UnansweredCreation[] = [];
  private readonly used = new Map<string, UnansweredCreation>();

  add(kind: string, parent: string, heard: Heard): void {
    const { body, exchange } = heard;
    const { sentAt, at } = exchange;
    const organizationId = organizationOf(heard);
    this.all.push({ kind, parent, organizationId, body, key: scopeOf(exchange), sentAt, at });
  }

  some(matches: (creation: UnansweredCreation) => boolean): boolean {
    return this.find(matches) !== undefined;
  }

  /** The earliest of some. */
  find(matches: (creation: UnansweredCreation) => boolean): UnansweredCreation | undefined {
    return this.all.find(matches);
  }

  /**
   * The one that explains an object; it is used up.
   * @param madeAt of several the last one that was sent by then is taken; without a time, or if there is none, the earliest
   */
  explain(
    id: string,
    matches: (creation: UnansweredCreation) => boolean,
    madeAt: number | null = null,
  ): UnansweredCreation | undefined {
    const until = (creation: UnansweredCreation) => madeAt !== null && creation.sentAt <= madeAt;
    const found = this.all.findLast((each) => until(each) && matches(each)) ?? this.find(matches);
    if (found === undefined) return undefined;
    this.drop((each) => each === found);
    this.used.set(id, found);
    return found;
  }

  /** The creation of an object was answered: nothing else came of its key, and what had explained the object explains another. */
  answered(id: string, { exchange }: Heard): void {
    const key = scopeOf(exchange);
    const isSame = (creation: UnansweredCreation) => key !== undefined && creation.key === key;
    this.drop((creation) => isSame(creation) && creation.sentAt > exchange.at - KEY_KEPT_MS);
    const used = this.used.get(id);
    if (used !== undefined && !isSame(used)) this.all.push(used);
    this.used.delete(id);
  }

  drop(matches: (creation: UnansweredCreation) => boolean): void {
    this.all = this.all.filter((creation) => !matches(creation));
  }
}
