/** The part of a list to answer; pages count from 1. */
export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
}

export interface Page<T> {
  readonly items: T[];
  /** Number of items in the whole list, exact. */
  readonly total: number;
}
