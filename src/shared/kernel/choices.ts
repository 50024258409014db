/** A list to choose from holds no more than these. */
export const MOST_CHOICES = 50;

/** A search among things to choose from: a longer list is found by a part of a name. */
export interface ChoiceSearch {
  /** A part of a name, in any case, or an id, which brings the others too where all are few; absent or empty: any. */
  readonly typed?: string | undefined;
}

/** The first that fit what was typed, at most `MOST_CHOICES`, by name. */
export interface Choices<Item> {
  readonly items: readonly Item[];
  /** Exact number of those that fit. */
  readonly total: number;
}
