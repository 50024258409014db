/** An attempt that ended its delivery, by its place among all such attempts. */
export interface EndedAttemptPlace {
  /** ISO 8601 with microseconds: a Date would round it, and pass over attempts or look at them twice. */
  readonly at: string;
  readonly id: string;
}

/** Deliveries that are not sent any more, with their attempts. */
export abstract class EndedDeliveries {
  /**
   * Looks at the next `limit` attempts that ended their delivery more than `ageDays` ago, oldest first, and deletes their
   * deliveries with all attempts; refuses to run outside a unit of work. A delivery stays that is pending, that was
   * attempted later, or that somebody holds at this moment.
   * @param after where the last step ended; undefined for the oldest
   * @returns where this step ended; undefined where nothing is behind it
   */
  abstract prune(
    ageDays: number,
    after: EndedAttemptPlace | undefined,
    limit: number,
  ): Promise<EndedAttemptPlace | undefined>;
}
